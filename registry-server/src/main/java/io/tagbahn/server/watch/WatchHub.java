// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.server.cluster.ChangeFeed;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.Timer;
import io.tagbahn.server.cluster.TimerThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who wait for answers to change.
 *
 * <p>A question is asked once for all who wait for its answer, and again only when something changed that may concern it:
 * the changes of all nodes that hold what is asked for are followed by one {@link ChangeFeed}. A token is a hash of the
 * answer, so nothing is kept of a reader that isn't waiting, any node can continue for another, and what changes while a
 * reader is away is told by one answer. All of this is done by one thread, and asks as other callers do.
 */
public final class WatchHub implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WatchHub.class);

    /** Changes within this time make one new question; more time the more readers wait, so that answers stay few. */
    private static final Duration MERGED = Duration.ofMillis(50);

    private static final Duration MERGED_PER_READER = Duration.ofNanos(100_000);
    private static final Duration MERGED_MAX = Duration.ofSeconds(1);
    /** How long a question is kept for a reader that comes back. */
    private static final Duration KEPT = Duration.ofSeconds(15);
    /** How long an incomplete answer is not told to who holds another: longer than a question may take. */
    private static final Duration DEGRADED = Duration.ofSeconds(6);

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration AGAIN = Duration.ofMillis(250);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration ASKING = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    /** Questions that are being asked at a time. */
    private static final int ASKED_MAX = 8;

    private final Cluster cluster;
    private final WatchTerms terms;
    private final LongSupplier ticker;
    private final WatchThread thread;
    private final ChangeFeed feed;
    private final NotedChanges noted = new NotedChanges();
    private final EntryWaiters entryWaiters;

    // Of the thread only.
    private final Map<WatchTarget, Watched> watched = new HashMap<>();
    private final WatchIndex index = new WatchIndex();
    private final LinkedHashSet<Watched> due = new LinkedHashSet<>();
    private String closureVersion = "";
    private int asked;
    private int readers;
    private long bytes;
    private boolean askingSoon;
    private boolean stopping;
    private long lookedNanos;

    /** @param cluster is asked like by any caller */
    public WatchHub(Cluster cluster, WatchTerms terms, LongSupplier ticker) {
        this(cluster, terms, ticker, new TimerThread("watches"));
    }

    private WatchHub(Cluster cluster, WatchTerms terms, LongSupplier ticker, TimerThread thread) {
        this(cluster, terms, ticker, thread, thread::close);
    }

    /** @param timer by which all is done, one task at a time; it is not closed by this */
    public WatchHub(Cluster cluster, WatchTerms terms, LongSupplier ticker, Timer timer) {
        this(cluster, terms, ticker, timer, () -> {});
    }

    private WatchHub(Cluster cluster, WatchTerms terms, LongSupplier ticker, Timer timer, Runnable endTimer) {
        this.cluster = cluster;
        this.terms = terms;
        this.ticker = ticker;
        this.thread = new WatchThread(timer, endTimer);
        this.entryWaiters = new EntryWaiters(thread);
        this.feed = cluster.feed(new ChangeFeed.Listener() {
            @Override
            public void changed(List<LoggedChange> changes) {
                if (noted.note(changes)) {
                    takeSoon();
                }
            }

            @Override
            public void missed() {
                if (noted.noteAnything()) {
                    takeSoon();
                }
            }
        });
        thread.soon(TICK, this::tickAgain);
    }

    private void tickAgain() {
        try {
            tick();
        } finally {
            thread.soon(TICK, this::tickAgain);
        }
    }

    /** What a call that waits is told. */
    public record Told(String token, Optional<WatchAnswer> answer) {}

    // ------------------------------------------------------------ readers

    /**
     * The answer to a question as soon as it is not the one that the reader has.
     *
     * @param token of the answer that the reader has
     * @param wait for a change; whether there was one already is looked at in any case
     * @param patience most time in all
     * @return without an answer where none came in time
     */
    public CompletionStage<Told> watch(WatchTarget target, Optional<String> token, Duration wait, Duration patience) {
        Watched.Reader reader = new Watched.Reader(token, wait, patience);
        thread.submit(reader.told, () -> arrive(target, reader));
        return reader.told;
    }

    /** Grows with every time that entries came or went somewhere; for {@link #awaitEntries}. */
    public long entriesVersion() {
        return entryWaiters.version();
    }

    /**
     * Completes when entries may have come or gone somewhere since a version, or with false at the end of the time.
     *
     * @param seen the version when the caller looked last
     */
    public CompletionStage<Boolean> awaitEntries(long seen, Duration wait) {
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        thread.submit(woken, () -> {
            if (stopping) {
                woken.completeExceptionally(WatchThread.stopping());
            } else if (isFull()) {
                woken.completeExceptionally(tooMany());
            } else {
                feed.want();
                entryWaiters.add(seen, wait, woken);
            }
        });
        return woken;
    }

    private void arrive(WatchTarget target, Watched.Reader reader) {
        if (stopping) {
            reader.told.completeExceptionally(WatchThread.stopping());
            return;
        }
        Watched of = watched.get(target);
        if (isFull() || (of == null && !hasRoomFor(target))) {
            reader.told.completeExceptionally(tooMany());
            return;
        }
        feed.want();
        long nowNanos = ticker.getAsLong();
        if (of != null && of.readers.isEmpty() && nowNanos - of.idleSinceNanos > DEGRADED.toNanos()) {
            of.degraded = false; // what was lacking when it was asked last is long ago
        }
        if (of == null) {
            of = new Watched(target);
            watched.put(target, of);
            bytes += target.bytes();
            index.add(target);
            due.add(of);
        }
        Watched question = of;
        readers++;
        question.readers.add(reader);
        reader.end =
                thread.later(reader.token.isPresent() ? reader.wait : reader.patience, () -> timeOut(question, reader));
        WatchAnswer answer = question.answer;
        boolean isKnown = !question.asking && !question.behind && !due.contains(question) && feed.isWhole();
        if (answer != null && isKnown) {
            tell(question, reader, answer);
        } else if (!question.asking) {
            due.add(question);
            ask();
        } else {
            question.again = true; // what is being asked may be older than the reader's question
        }
    }

    private boolean isFull() {
        return readers + entryWaiters.count() >= terms.readersMax();
    }

    private boolean hasRoomFor(WatchTarget target) {
        return watched.size() < terms.targetsMax() && bytes + target.bytes() <= terms.bytesMax();
    }

    private static Overloaded tooMany() {
        return new Overloaded("too many watches at this node", Signal.TRY_ELSEWHERE, Optional.empty());
    }

    private void tell(Watched question, Watched.Reader reader, WatchAnswer answer) {
        reader.looked = true;
        if (!reader.token.equals(Optional.of(answer.token()))) {
            leave(question, reader);
            reader.told.complete(new Told(answer.token(), Optional.of(answer)));
        } else if (reader.over) {
            timeOut(question, reader);
        }
    }

    private void timeOut(Watched question, Watched.Reader reader) {
        Duration left = reader.patience.minus(reader.wait);
        boolean isKnown = reader.looked && question.failure == null;
        if (!isKnown && !reader.over && left.compareTo(Duration.ZERO) > 0 && reader.token.isPresent()) {
            reader.over = true;
            reader.end = thread.later(left, () -> timeOut(question, reader));
            return;
        }
        leave(question, reader);
        if (reader.token.isPresent() && isKnown) {
            reader.told.complete(new Told(reader.token.get(), Optional.empty()));
        } else {
            // Whether it is unchanged nobody knows: another node may.
            Throwable failure = question.failure;
            reader.told.completeExceptionally(
                    failure != null ? failure : new NotReady("no answer could be had in time", Optional.empty()));
        }
    }

    private void leave(Watched question, Watched.Reader reader) {
        if (question.readers.remove(reader)) {
            readers--;
            if (reader.end != null) {
                reader.end.cancel();
            }
            question.idleSinceNanos = ticker.getAsLong();
        }
    }

    // ------------------------------------------------------------ changes

    private void takeSoon() {
        thread.submit(() -> thread.soon(MERGED, this::takeChanges));
    }

    private void takeChanges() {
        NotedChanges.Taken taken = noted.take();
        if (taken.anything()) {
            due.addAll(watched.values());
        } else {
            addDue(concerned(taken.entries()));
        }
        if (taken.came()) {
            entryWaiters.wake();
        }
        ask();
    }

    private Collection<WatchTarget> concerned(List<String> entries) {
        try {
            return index.concerned(entries);
        } catch (RuntimeException | Error e) {
            log.error("which questions a change concerns can't be told: all are asked again", e);
            return List.copyOf(watched.keySet());
        }
    }

    private void addDue(Collection<? extends WatchTarget> targets) {
        for (WatchTarget target : targets) {
            Watched question = watched.get(target);
            if (question != null) {
                due.add(question);
            }
        }
    }

    private void tick() {
        long nowNanos = ticker.getAsLong();
        if (!watched.isEmpty() || entryWaiters.count() > 0) {
            feed.want();
        }
        String version = cluster.meaning().closure().version();
        if (!version.equals(closureVersion)) {
            closureVersion = version;
            index.closure(cluster.meaning().closure());
            addDue(index.meant());
        }
        if (!feed.isWhole() && nowNanos - lookedNanos > LOOK.toNanos()) {
            lookedNanos = nowNanos;
            due.addAll(watched.values());
        }
        for (Iterator<Watched> each = watched.values().iterator(); each.hasNext(); ) {
            Watched question = each.next();
            if (question.readers.isEmpty() && !question.asking && nowNanos - question.idleSinceNanos > KEPT.toNanos()) {
                each.remove();
                keep(question, null);
                bytes -= question.target.bytes();
                index.remove(question.target);
                due.remove(question);
            }
        }
        ask();
    }

    // ------------------------------------------------------------ asking

    /** Asks what is due, as far as it may. */
    private void ask() {
        List<Watched> now = new ArrayList<>();
        long nowNanos = ticker.getAsLong();
        long mergedNanos = Math.min(MERGED_MAX.toNanos(), MERGED.toNanos() + readers * MERGED_PER_READER.toNanos());
        boolean early = false;
        for (Iterator<Watched> each = due.iterator(); each.hasNext() && asked + now.size() < ASKED_MAX; ) {
            Watched question = each.next();
            boolean isEarly = question.answer != null && nowNanos - question.askedNanos < mergedNanos;
            if (isEarly && !question.asking && !question.readers.isEmpty()) {
                early = true;
            } else if (question.asking) {
                question.again = true;
                each.remove();
            } else if (question.readers.isEmpty()) {
                keep(question, null); // whoever comes next asks anew
                each.remove();
            } else {
                each.remove();
                now.add(question);
            }
        }
        now.forEach(this::ask);
        if (early && !askingSoon) {
            askingSoon = true;
            thread.soon(MERGED, () -> {
                askingSoon = false;
                ask();
            });
        }
    }

    private void ask(Watched question) {
        asked++;
        question.asking = true;
        question.again = false;
        question.askedNanos = ticker.getAsLong();
        long deadlineNanos = question.askedNanos + ASKING.toNanos();
        CompletionStage<WatchAnswer> answer;
        try {
            answer = question(question.target, deadlineNanos);
        } catch (RuntimeException | Error e) { // else it would be being asked for ever
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete((value, error) -> thread.submit(() -> answered(question, value, error)));
    }

    private CompletionStage<WatchAnswer> question(WatchTarget target, long deadlineNanos) {
        if (target instanceof WatchTarget.Entries entries) {
            return cluster.find(entries.entries(), feed.followed(), deadlineNanos)
                    .thenApply(WatchAnswer::of);
        }
        if (target instanceof WatchTarget.Meant meant) {
            return cluster.match(meant.query(), deadlineNanos).thenApply(WatchAnswer::of);
        }
        throw new IllegalArgumentException("no such target: " + target);
    }

    private void answered(Watched question, @Nullable WatchAnswer answer, @Nullable Throwable error) {
        asked--;
        question.asking = false;
        long nowNanos = ticker.getAsLong();
        if (error != null || answer == null) {
            failed(question, error == null ? unanswered() : cause(error));
        } else if (!answer.isKnown()) {
            failed(question, unanswered());
        } else {
            take(question, answer, nowNanos);
        }
        ask();
    }

    private void take(Watched question, WatchAnswer answer, long nowNanos) {
        question.failure = null;
        question.behind = answer.degraded() && isHeldBack(question, nowNanos);
        question.degraded = answer.degraded();
        if (!question.behind) {
            keep(question, answer);
        }
        for (Watched.Reader reader : List.copyOf(question.readers)) {
            if (!question.behind || reader.token.isEmpty()) {
                tell(question, reader, answer);
            }
        }
        if (answer.degraded()) {
            askLater(question, AGAIN);
        } else if (question.again) {
            askLater(question, MERGED);
        } else if (!feed.followed().containsAll(answer.by())) {
            askLater(question, LOOK); // what changes at the node that answered is not told of
        }
    }

    /** Keeps an answer for who comes next, where there is room for it. */
    private void keep(Watched question, @Nullable WatchAnswer answer) {
        bytes -= question.answer == null ? 0 : question.answer.bytes();
        question.answer = answer != null && bytes + answer.bytes() <= terms.bytesMax() ? answer : null;
        bytes += question.answer == null ? 0 : question.answer.bytes();
    }

    /** To one who holds a complete answer, one that lacks something for a moment would look as if that were gone. */
    private static boolean isHeldBack(Watched question, long nowNanos) {
        if (!question.degraded) {
            question.degradedSinceNanos = nowNanos;
        }
        return nowNanos - question.degradedSinceNanos < DEGRADED.toNanos();
    }

    private static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    private static NotReady unanswered() {
        return new NotReady("no node that holds this could be reached", Optional.empty());
    }

    /** What can't be asked for a moment holds up those who have an answer; what can never be asked is told to all. */
    private void failed(Watched question, Throwable failure) {
        boolean isForGood = failure instanceof InvalidArgument;
        question.behind = true;
        question.failure = failure;
        for (Watched.Reader reader : List.copyOf(question.readers)) {
            if (isForGood || reader.token.isEmpty()) {
                leave(question, reader);
                reader.told.completeExceptionally(failure);
            }
        }
        if (!isForGood) {
            askLater(question, AGAIN);
        }
    }

    private void askLater(Watched question, Duration delay) {
        thread.soon(delay, () -> {
            if (watched.get(question.target) == question) {
                due.add(question);
                ask();
            }
        });
    }

    // ------------------------------------------------------------ the end

    /** Tells those who wait that the node stops, so that they go elsewhere and nobody waits for them. */
    @Override
    public void close() {
        feed.close();
        thread.close(this::stop, CLOSE);
    }

    private void stop() {
        stopping = true;
        for (Watched question : watched.values()) {
            for (Watched.Reader reader : List.copyOf(question.readers)) {
                leave(question, reader);
                reader.told.completeExceptionally(WatchThread.stopping());
            }
        }
        entryWaiters.stop();
    }
}
