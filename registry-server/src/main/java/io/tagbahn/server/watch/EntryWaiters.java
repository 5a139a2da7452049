// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.server.cluster.Timer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Those who wait for entries to come or go anywhere; belongs to the thread of the {@link WatchHub}. */
final class EntryWaiters {

    private final WatchThread thread;
    private final Set<Waiter> waiting = new LinkedHashSet<>();
    private final AtomicLong version = new AtomicLong();

    /** Who waits; told by itself from all others. */
    private static final class Waiter {
        private final CompletableFuture<Boolean> woken;

        Waiter(CompletableFuture<Boolean> woken) {
            this.woken = woken;
        }
    }

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
        Waiter waiter = new Waiter(woken);
        waiting.add(waiter);
        Timer.Scheduled end = thread.later(wait, () -> {
            if (waiting.remove(waiter)) {
                woken.complete(false);
            }
        });
        CompletionStage<Boolean> ended = woken;
        ended.whenComplete((done, error) -> end.cancel());
    }

    /** Tells all that entries may have come or gone. */
    void wake() {
        version.incrementAndGet();
        all().forEach(each -> each.woken.complete(true));
    }

    /** Tells all that the node stops. */
    void stop() {
        all().forEach(each -> each.woken.completeExceptionally(WatchThread.stopping()));
    }

    private List<Waiter> all() {
        List<Waiter> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
