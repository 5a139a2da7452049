// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** The call certainly never reached a node: it may be sent again, whatever it does. */
public final class Unreachable extends RegistryException {

    public Unreachable(String message) {
        super(message);
    }

    public Unreachable(String message, Throwable cause) {
        super(message, cause);
    }
}
