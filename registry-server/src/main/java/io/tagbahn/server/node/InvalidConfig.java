// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

/** A setting that is not legal; the message says key, value and what is. */
public final class InvalidConfig extends IllegalArgumentException {

    private final String key;

    InvalidConfig(String key, String value, String legal) {
        super(key + " = " + value + ": " + legal);
        this.key = key;
    }

    /** The key at fault. */
    public String key() {
        return key;
    }
}
