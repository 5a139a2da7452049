// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** No live instance for the name, or for any of the tags. */
public final class NoPeersAvailable extends RegistryException {

    private final String serviceName;

    public NoPeersAvailable(String message, String serviceName) {
        super(message);
        this.serviceName = serviceName;
    }

    /** The name, or the first of the tags, that was asked for. */
    public String serviceName() {
        return serviceName;
    }
}
