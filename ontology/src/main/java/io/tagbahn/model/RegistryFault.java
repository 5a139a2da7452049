// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** The other side broke its contract: an answer that cannot be read, or an error inside the registry. */
public final class RegistryFault extends RegistryException {

    public RegistryFault(String message) {
        super(message);
    }

    public RegistryFault(String message, Throwable cause) {
        super(message, cause);
    }
}
