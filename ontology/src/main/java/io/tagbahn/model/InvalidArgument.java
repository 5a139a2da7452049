// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** A value that is not allowed; nothing was changed. Sending it again will not help. */
public final class InvalidArgument extends RegistryException {

    private final String field;
    private final String reason;

    /**
     * @param field the field at fault, as a path such as {@code serviceTags[3]}
     * @param reason what is wrong with it, and the legal range where there is one
     */
    public InvalidArgument(String field, String reason) {
        super(field + ": " + reason);
        this.field = field;
        this.reason = reason;
    }

    public String field() {
        return field;
    }

    public String reason() {
        return reason;
    }

    /** The same complaint about the field where the value was found. */
    public InvalidArgument at(String path) {
        return new InvalidArgument(path, reason);
    }

    /** The same complaint, its field being a part of {@code parent}. */
    public InvalidArgument within(String parent) {
        return new InvalidArgument(parent + "." + field, reason);
    }
}
