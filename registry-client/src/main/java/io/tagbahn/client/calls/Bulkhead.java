// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A number of places for calls under way, and a bounded queue before them, first come first served. */
final class Bulkhead {

    private final int waitingMax;
    private int free; // guarded by this
    private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>(); // guarded by this

    Bulkhead(int places, int waitingMax) {
        this.free = places;
        this.waitingMax = waitingMax;
    }

    /** A place, when the stage completes; nothing where as many wait as may. */
    synchronized Optional<CompletableFuture<Void>> enter() {
        if (free > 0) {
            free--;
            return Optional.of(CompletableFuture.completedFuture(null));
        }
        if (waiting.size() >= waitingMax) {
            return Optional.empty();
        }
        CompletableFuture<Void> place = new CompletableFuture<>();
        waiting.add(place);
        return Optional.of(place);
    }

    /** No longer waits; false where the place was given meanwhile, and has to be left. */
    synchronized boolean abandon(CompletableFuture<Void> place) {
        return waiting.removeIf(each -> each == place);
    }

    /** Leaves a place to the next who waits. */
    void leave() {
        CompletableFuture<Void> next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                free++;
            }
        }
        if (next != null) {
            next.complete(null);
        }
    }

    synchronized int free() {
        return free;
    }
}
