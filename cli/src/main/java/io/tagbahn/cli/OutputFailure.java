// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.io.IOException;
import java.util.Locale;

/** Standard output takes no more. */
final class OutputFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean readerGone;

    OutputFailure(IOException cause) {
        super("cannot write to standard output: " + cause.getMessage(), cause, false, false);
        this.readerGone =
                String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
    }

    /** True where whoever read it has left, as {@code head} does: no error. */
    boolean readerGone() {
        return readerGone;
    }
}
