// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/** Whether a call may be carried out twice without harm: the caller's word, which decides what may be repeated. */
public enum Idempotency {
    /** Carried out twice, it is as if carried out once: may be repeated whatever became of it. */
    IDEMPOTENT,
    /** Is repeated only where it is certain that the host did not carry it out. */
    NOT_IDEMPOTENT
}
