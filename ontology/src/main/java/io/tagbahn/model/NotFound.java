// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** The instance, ontology or document that the call names is not known. */
public final class NotFound extends RegistryException {

    public NotFound(String message) {
        super(message);
    }
}
