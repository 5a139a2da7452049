// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * The call was sent and no answer came: it may or may not have been carried out.
 *
 * <p>Only a call that is idempotent may be sent again; the registry's own are.
 */
public final class OutcomeUnknown extends RegistryException {

    public OutcomeUnknown(String message) {
        super(message);
    }

    public OutcomeUnknown(String message, Throwable cause) {
        super(message, cause);
    }
}
