// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.server.store.EntryListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * What has changed in a node's store lately: a log of entries that come and go, and one of everything that changes an
 * answer, which is kept only while somebody reads it.
 *
 * <p>The thread that writes appends and wakes nobody by itself: it asks for {@link #wake} to be called soon, so that what
 * changes in quick succession is told at once.
 */
public final class Changes implements EntryListener {

    /** Touches that are kept; a reader that is further behind is told to look at everything. */
    public static final int TOUCHES_MAX = 65_536;

    /** How long after its last reader the log of touches is kept. */
    private static final long READ_NANOS = 90_000_000_000L;

    /** Readers that wait; more are answered at once. */
    private static final int WAITING_MAX = 10_000;

    private final ChangeLog entries;
    private final ChangeLog touches;
    private final LongSupplier ticker;
    private final Runnable wakeSoon;
    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    private volatile boolean anyWaiting;
    private volatile boolean read;
    private volatile long readNanos;

    /** What is read. */
    public enum Log {
        /** Entries that come and go. */
        ENTRIES,
        /** Everything that changes an answer. */
        TOUCHES
    }

    /** Some changes from a position on. */
    public record Read(LogPosition next, boolean reset, List<LoggedChange> changes) {}

    /**
     * Logs without changes.
     *
     * @param epoch differs from those of earlier processes
     * @param entriesMax comings and goings that are kept
     * @param wakeSoon has {@link #wake} called within milliseconds, once for many
     */
    public Changes(long epoch, int entriesMax, LongSupplier ticker, Runnable wakeSoon) {
        this.entries = new ChangeLog(epoch, entriesMax);
        this.touches = new ChangeLog(epoch, TOUCHES_MAX);
        this.ticker = ticker;
        this.wakeSoon = wakeSoon;
    }

    @Override
    public void added(List<String> added) {
        entries.append(added, LoggedChange.Kind.ADDED);
        touch(added, LoggedChange.Kind.ADDED);
    }

    @Override
    public void removed(List<String> removed) {
        entries.append(removed, LoggedChange.Kind.REMOVED);
        touch(removed, LoggedChange.Kind.REMOVED);
    }

    @Override
    public void touched(List<String> touched) {
        touch(touched, LoggedChange.Kind.TOUCHED);
    }

    private void touch(List<String> touched, LoggedChange.Kind kind) {
        if (read && ticker.getAsLong() - readNanos < READ_NANOS) {
            touches.append(touched, kind);
            if (anyWaiting) {
                wakeSoon.run();
            }
        } else {
            touches.skip(touched.size());
        }
    }

    /** Reads on, or says where the log stands where no position is given. */
    public Read read(Log log, Optional<LogPosition> since, int limit) {
        if (log == Log.TOUCHES) {
            readNanos = ticker.getAsLong();
            read = true;
        }
        ChangeLog of = log == Log.TOUCHES ? touches : entries;
        if (since.isEmpty()) {
            return new Read(of.position(), false, List.of());
        }
        return of.since(since.get(), limit)
                .map(part -> new Read(part.next(), false, part.changes()))
                .orElseGet(() -> new Read(of.position(), true, List.of()));
    }

    /** Completes when {@link #wake} is called next. */
    public CompletionStage<Boolean> next() {
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        synchronized (waiting) {
            if (waiting.size() == WAITING_MAX) {
                return CompletableFuture.completedFuture(true);
            }
            waiting.add(woken);
            anyWaiting = true;
        }
        return woken;
    }

    /** Wakes those who wait. */
    public void wake() {
        List<CompletableFuture<Boolean>> woken;
        synchronized (waiting) {
            woken = List.copyOf(waiting);
            waiting.clear();
            anyWaiting = false;
        }
        woken.forEach(one -> one.complete(true));
    }

    /** Lets go of one that waits no longer. */
    public void forget(CompletionStage<Boolean> one) {
        synchronized (waiting) {
            waiting.removeIf(each -> each == one);
        }
    }
}
