// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/**
 * A plain name under which a service is known; case matters.
 *
 * <p>1..255 bytes of UTF-8, no control characters, no blanks at either end, none of {@code <>"{}|\^`} and no colon in
 * front (that would be a prefixed term left unexpanded).
 *
 * <p>As a tag it is what {@link Tag#parse} makes of text that is neither an IRI nor a statement.
 */
public record ServiceName(String value) implements Tag {

    /** Longest name, in bytes of UTF-8. */
    public static final int BYTES_MAX = 255;

    private static final String FORBIDDEN = "<>\"{}|\\^`";

    /** @throws InvalidServiceName where the name is not allowed */
    public ServiceName {
        try {
            Text.checked("serviceName", value, BYTES_MAX);
        } catch (InvalidArgument e) {
            throw new InvalidServiceName(e.reason(), value);
        }
        if (Text.hasOuterBlank(value)) {
            throw new InvalidServiceName("begins or ends with a blank", value);
        }
        if (value.charAt(0) == ':') {
            throw new InvalidServiceName("begins with ':' (expand prefixed terms before they are sent)", value);
        }
        if (value.startsWith("_:")) {
            throw new InvalidServiceName("is a blank node, which means nothing outside its document", value);
        }
        for (int i = 0; i < value.length(); i++) {
            if (FORBIDDEN.indexOf(value.charAt(i)) >= 0) {
                throw new InvalidServiceName(
                        "holds '" + value.charAt(i) + "' at offset " + i + "; none of " + FORBIDDEN + " is allowed",
                        value);
            }
        }
    }

    @Override
    public String spelling() {
        return value;
    }

    @Override
    public String toString() {
        return value;
    }
}
