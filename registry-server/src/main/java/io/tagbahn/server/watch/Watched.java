// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.server.cluster.Timer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A question that somebody waits for, or did a moment ago; belongs to the thread of the {@link WatchHub}. */
final class Watched {

    final WatchTarget target;
    final Set<Reader> readers = new LinkedHashSet<>();

    @Nullable
    WatchAnswer answer;

    boolean asking;
    /** Whether something has changed since it was asked. */
    boolean again;

    long askedNanos;
    long degradedSinceNanos;
    /** Whether the last answer lacked something. */
    boolean degraded;
    /** Whether {@link #answer} is older than the last time that it was asked. */
    boolean behind;
    /** Why it could not be asked the last time. */
    @Nullable
    Throwable failure;

    long idleSinceNanos;

    Watched(WatchTarget target) {
        this.target = target;
    }

    /** A call that waits for the answer. */
    static final class Reader {
        /** Longer ones are of no answer, and not kept while their readers wait. */
        static final int TOKEN_CHARS_MAX = 64;

        private static final String UNKNOWN = "";

        final Optional<String> token;
        final CompletableFuture<WatchHub.Told> told = new CompletableFuture<>();
        final Duration wait;
        /** How long it may take to have an answer at all. */
        final Duration patience;

        Timer.@Nullable Scheduled end;
        /** Whether the answer was looked at since the reader came. */
        boolean looked;
        /** Whether its time is over, so that the next answer is told whatever it is. */
        boolean over;

        Reader(Optional<String> token, Duration wait, Duration patience) {
            this.token = token.map(text -> text.length() > TOKEN_CHARS_MAX ? UNKNOWN : text);
            this.wait = wait;
            this.patience = patience;
        }
    }
}
