// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Tag;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a listing goes on: behind an entry. It says so itself, so that any node can go on from there, whether or not the
 * entry still exists.
 */
record NamesCursor(String after) {

    private static final String FORM = "1.";
    private static final int CHARS_MAX = FORM.length() + (Tag.BYTES_MAX + 2) / 3 * 4;

    /** @throws InvalidArgument with field {@code cursor} where no node has made the text */
    static NamesCursor parse(String text) {
        if (text.startsWith(FORM) && text.length() <= CHARS_MAX) {
            try {
                byte[] bytes = Base64.getUrlDecoder().decode(text.substring(FORM.length()));
                return new NamesCursor(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString());
            } catch (IllegalArgumentException | CharacterCodingException e) {
                throw unknown();
            }
        }
        throw unknown();
    }

    private static InvalidArgument unknown() {
        return new InvalidArgument("cursor", "not the nextCursor of any page");
    }

    /** The form in which callers carry it. */
    String text() {
        return FORM + Base64.getUrlEncoder().withoutPadding().encodeToString(after.getBytes(StandardCharsets.UTF_8));
    }
}
