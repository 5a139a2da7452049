// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** What a rejected caller should do. */
public enum Signal {
    /** This node is busy, another may not be. */
    TRY_ELSEWHERE,
    /** The registry is busy: wait for the time that comes with the signal. */
    RETRY_AFTER,
    /** Retrying will not help. */
    STOP
}
