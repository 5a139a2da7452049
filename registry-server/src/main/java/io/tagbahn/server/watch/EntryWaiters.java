// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.server.cluster.Timer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Those who wait for entries to come or go anywhere; belongs to the thread of the {@link WatchHub}. */
final class EntryWaiters {

    private final WatchThread thread;
    private final Set<CompletableFuture<Boolean>> waiting = new LinkedHashSet<>();
    private final AtomicLong version = new AtomicLong();

    EntryWaiters(WatchThread thread) {
        this.thread = thread;
    }

    /** Grows with each time that entries came or went; may be read by any thread. */
    long version() {
        return version.get();
    }

    int count() {
        return waiting.size();
    }

    /** @param seen the version when the caller looked last */
    void add(long seen, Duration wait, CompletableFuture<Boolean> woken) {
        if (seen != version.get()) {
            woken.complete(true);
            return;
        }
        waiting.add(woken);
        Timer.Scheduled end = thread.later(wait, () -> {
            if (waiting.remove(woken)) {
                woken.complete(false);
            }
        });
        woken.whenComplete((done, error) -> end.cancel());
    }

    /** Tells all that entries may have come or gone. */
    void wake() {
        version.incrementAndGet();
        List<CompletableFuture<Boolean>> woken = List.copyOf(waiting);
        waiting.clear();
        woken.forEach(each -> each.complete(true));
    }

    /** Tells all that the node stops. */
    void stop() {
        List<CompletableFuture<Boolean>> left = List.copyOf(waiting);
        waiting.clear();
        left.forEach(each -> each.completeExceptionally(WatchThread.stopping()));
    }
}
