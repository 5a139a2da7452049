// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.InvalidArgument;

/** A complaint about a document on its way out of the parsers, which catch the exceptions that they know. */
final class BadDocument extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    private BadDocument(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    static BadDocument at(long line, long column, String reason) {
        if (line < 1) {
            return new BadDocument(reason);
        }
        return new BadDocument("line " + line + (column < 1 ? "" : ", column " + column) + ": " + reason);
    }

    /** At an offset of a text. */
    static BadDocument at(CharSequence text, int offset, String reason) {
        long line = 1;
        long column = 1;
        for (int i = 0; i < offset; i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line++;
                column = 1;
            } else if (!Character.isLowSurrogate(c)) {
                column++;
            }
        }
        return at(line, column, reason);
    }

    static BadDocument anywhere(String reason) {
        return new BadDocument(reason);
    }

    InvalidArgument asInvalidArgument() {
        return new InvalidArgument("document", reason);
    }
}
