// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.nio.file.Path;

/** The files of a keys directory are not all there, not readable, or don't belong together; the message says what. */
public final class BadKeys extends Exception {

    private static final long serialVersionUID = 1L;

    BadKeys(Path file, String why) {
        super(file + ": " + why);
    }

    BadKeys(Path file, Throwable cause) {
        super(file + ": " + cause, cause);
    }
}
