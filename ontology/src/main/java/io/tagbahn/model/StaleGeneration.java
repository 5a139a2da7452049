// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** The registry knows a newer registration or deregistration of the instance; nothing was changed. */
public final class StaleGeneration extends RegistryException {

    private final long current;

    public StaleGeneration(String message, long current) {
        super(message);
        this.current = current;
    }

    /** The newest generation known. */
    public long current() {
        return current;
    }
}
