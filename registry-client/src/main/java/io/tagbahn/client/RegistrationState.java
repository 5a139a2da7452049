// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

/** Where a {@link Registration} stands, as far as the client knows. */
public enum RegistrationState {
    /** The registry has not taken it yet; the client keeps trying. */
    REGISTERING,
    /** The registry has it, and its lease is being renewed. */
    REGISTERED,
    /** The registry does not know it any more, or its lease has lapsed unrenewed; the client is registering it again. */
    LOST,
    /** A newer registration of the same instance exists, made by another process. For good. */
    SUPERSEDED,
    /** The registry refused it as invalid or not allowed. For good. */
    REFUSED,
    /** Deregistered by its owner. For good. */
    CLOSED;

    /** True where the client does nothing more for the registration. */
    public boolean isFinal() {
        return this == SUPERSEDED || this == REFUSED || this == CLOSED;
    }
}
