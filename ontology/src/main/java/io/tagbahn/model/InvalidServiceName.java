// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** A service name that is empty or not allowed; nothing was changed. */
public final class InvalidServiceName extends RegistryException {

    private final String serviceName;

    public InvalidServiceName(String message, String serviceName) {
        super(message);
        this.serviceName = serviceName;
    }

    public String serviceName() {
        return serviceName;
    }
}
