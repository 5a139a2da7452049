// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** The caller's token does not allow the call. */
public final class Unauthorized extends RegistryException {

    public Unauthorized(String message) {
        super(message);
    }
}
