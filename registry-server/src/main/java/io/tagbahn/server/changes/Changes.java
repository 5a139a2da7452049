// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
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
 * answer, each of which is kept only while somebody reads it.
 *
 * <p>The thread that writes appends and wakes nobody by itself: it asks for {@link #wake} to be called soon, so that what
 * changes in quick succession is told at once.
 */
public final class Changes implements EntryListener, AutoCloseable {

    /** Touches that are kept; a reader that is further behind is told to look at everything. */
    public static final int TOUCHES_MAX = 65_536;

    /** Readers that wait; more are refused. */
    static final int WAITING_MAX = 10_000;

    private final ChangeLog entries;
    private final ChangeLog touches;
    private final int readCharsMax;
    private final Runnable wakeSoon;
    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    private volatile boolean anyWaiting;
    private boolean closed;

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
     * @param entries what is kept of comings and goings; of touches as many bytes, and at most {@link #TOUCHES_MAX}
     * @param wakeSoon has {@link #wake} called within milliseconds, once for many
     */
    public Changes(long epoch, Keeping entries, LongSupplier ticker, Runnable wakeSoon) {
        this.entries = new ChangeLog(epoch, entries, ticker);
        this.touches =
                new ChangeLog(epoch, new Keeping(TOUCHES_MAX, entries.bytesMax(), entries.readCharsMax()), ticker);
        this.readCharsMax = entries.readCharsMax();
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
        if (touches.append(touched, kind) && anyWaiting) {
            wakeSoon.run();
        }
    }

    /** Reads on, or says where the log stands where no position is given. */
    public Read read(Log log, Optional<LogPosition> since, int limit) {
        ChangeLog of = log == Log.TOUCHES ? touches : entries;
        if (since.isEmpty()) {
            return new Read(of.position(), false, List.of());
        }
        return of.since(since.get(), limit)
                .map(part -> new Read(part.next(), false, part.changes()))
                .orElseGet(() -> new Read(of.position(), true, List.of()));
    }

    /** Characters of entries after which what is read at once ends. */
    public int readCharsMax() {
        return readCharsMax;
    }

    /** Completes when {@link #wake} is called next; fails with {@link NotReady} when this is closed, or {@link Overloaded} at once. */
    public CompletionStage<Boolean> next() {
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        synchronized (waiting) {
            if (closed) {
                return CompletableFuture.failedFuture(stopping());
            }
            if (waiting.size() == WAITING_MAX) {
                return CompletableFuture.failedFuture(new Overloaded(
                        "too many wait for changes at this node", Signal.TRY_ELSEWHERE, Optional.empty()));
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

    /** Tells those who wait that they wait in vain, so that nobody waits for them. */
    @Override
    public void close() {
        List<CompletableFuture<Boolean>> left;
        synchronized (waiting) {
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
            anyWaiting = false;
        }
        left.forEach(one -> one.completeExceptionally(stopping()));
    }

    private static NotReady stopping() {
        return new NotReady("the node is stopping", Optional.empty());
    }

    /** Lets go of one that waits no longer. */
    public void forget(CompletionStage<Boolean> one) {
        synchronized (waiting) {
            waiting.removeIf(each -> each == one);
        }
    }
}
