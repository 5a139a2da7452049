// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Freshness;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last good answers, which stand in when the registry can't be asked; and where calls are answered from memory, what
 * keeps them up to date.
 *
 * <p>An answer is good when it is complete. What replaces it: a complete answer, also one that there is nothing. What does
 * not: a failure; an answer that says of itself that it is incomplete and lacks instances that are kept, for
 * {@code kept.refillTime}; and, for that long after the registry could not be asked, an answer that lacks some, since a
 * registry that was started anew knows only those that have registered again. Then both together are handed out.
 *
 * <p>Refreshes go on whatever became of the one before: on their interval, sooner after a failure, never sooner where the
 * registry is overloaded. So the load on the registry is the same whether answers are read once or a million times, while it
 * is gone, and when it comes back.
 */
final class KeptAnswers {

    /** The part of an interval over which what failed is asked again once the registry is back. */
    private static final double SOON = 0.8;

    private static final Logger log = LoggerFactory.getLogger(KeptAnswers.class);

    /** What is known of one question. Guarded by the answers that it is part of. */
    private static final class Kept<A> {
        private final Question<A> question;
        /** The last complete answer. */
        private Optional<A> good = Optional.empty();

        private long goodAtNanos;
        /** What is handed out from memory: the good answer, or both together. */
        private Optional<A> shown = Optional.empty();

        /** The registry's word that there is nothing. */
        private Optional<NoPeersAvailable> none = Optional.empty();
        /** Whether it may be handed out from memory: the registry has been asked, and is asked again and again. */
        private boolean followed;

        /** Whether what is handed out is more than the registry has said. */
        private boolean doubted;

        private int failures;
        /** Counts the refreshes that were set a time: the last of them holds. */
        private int turn;

        /** When the next one is due; absent while one is under way. */
        private OptionalLong dueAtNanos = OptionalLong.empty();

        private long usedAtNanos;
        private long bytes;
        private boolean evicted;
        private Optional<CompletableFuture<A>> underWay = Optional.empty();

        Kept(Question<A> question) {
            this.question = question;
        }
    }

    /** What a call comes to: an answer, stale or not, or an error. */
    private record Outcome<A>(Optional<A> answer, Optional<RegistryException> error, boolean stale) {
        static <A> Outcome<A> of(A answer) {
            return new Outcome<>(Optional.of(answer), Optional.empty(), false);
        }

        static <A> Outcome<A> stale(A answer) {
            return new Outcome<>(Optional.of(answer), Optional.empty(), true);
        }

        static <A> Outcome<A> of(RegistryException error) {
            return new Outcome<>(Optional.empty(), Optional.of(error), false);
        }
    }

    private final Loops loops;
    private final KeptConfig config;
    private final CallTally tally;
    /** Least recently used first; guarded by this, as is all below. */
    private final Map<Question<?>, Kept<?>> byQuestion = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private boolean gone;
    private boolean refilling;
    private long backAtNanos;
    private long version;

    KeptAnswers(Loops loops, KeptConfig config, CallTally tally) {
        this.loops = loops;
        this.config = config;
        this.tally = tally;
    }

    /** Fails with a {@link RegistryException}, or succeeds. */
    <A> CompletableFuture<A> answer(Question<A> question) {
        if (config.entriesMax() == 0) {
            return asked(question);
        }
        if (config.refreshEvery().isZero()) {
            return asked(question)
                    .handle((answer, error) -> settled(question, answer, error))
                    .thenCompose(this::handOut);
        }
        return fromMemory(question);
    }

    private <A> CompletableFuture<A> handOut(Outcome<A> outcome) {
        if (outcome.stale()) {
            tally.staleAnswers.increment();
        }
        return outcome.error()
                .<CompletableFuture<A>>map(CompletableFuture::failedFuture)
                .orElseGet(
                        () -> CompletableFuture.completedFuture(outcome.answer().orElseThrow()));
    }

    private <A> CompletableFuture<A> asked(Question<A> question) {
        return loops.guard().read(question::ask);
    }

    // ------------------------------------------------------------ from memory

    private <A> CompletableFuture<A> fromMemory(Question<A> question) {
        CompletableFuture<A> first;
        synchronized (this) {
            long now = loops.nanos().getAsLong();
            Kept<A> kept = kept(question);
            kept.usedAtNanos = now;
            if (kept.followed) {
                return handOut(remembered(kept, now));
            }
            if (kept.underWay.isPresent()) {
                return kept.underWay.get().copy();
            }
            first = new CompletableFuture<>();
            kept.underWay = Optional.of(first);
        }
        CompletionStage<A> stage = asked(question);
        stage.whenComplete((answer, error) -> {
            Outcome<A> outcome = settled(question, answer, error);
            synchronized (this) {
                Kept<A> kept = kept(question);
                kept.underWay = Optional.empty();
                if (kept.shown.isEmpty() && kept.none.isEmpty()) {
                    forget(kept);
                } else if (!kept.followed) {
                    kept.followed = true;
                    follow(kept, part(0.2));
                }
            }
            CompletionStage<A> handedOut = handOut(outcome);
            handedOut.whenComplete((handed, failure) -> {
                if (failure == null) {
                    first.complete(handed);
                } else {
                    first.completeExceptionally(failure);
                }
            });
        });
        return first.copy();
    }

    private <A> Outcome<A> remembered(Kept<A> kept, long now) {
        if (kept.none.isPresent()) {
            return Outcome.of(kept.none.get());
        }
        boolean stale = kept.failures > 0 || kept.doubted;
        A shown = kept.shown.orElseThrow();
        boolean degraded = stale || kept.question.isDegraded(shown);
        A aged = kept.question.aged(shown, degraded, new Freshness(age(kept, now), stale));
        return stale ? Outcome.stale(aged) : Outcome.of(aged);
    }

    private static Duration age(Kept<?> kept, long now) {
        return Duration.ofNanos(Math.max(0, now - kept.goodAtNanos));
    }

    /** Asks anew after a while, and again and again; a time that was set before holds no more. */
    private void follow(Kept<?> kept, Duration delay) {
        int turn;
        synchronized (this) {
            turn = ++kept.turn;
            kept.dueAtNanos = OptionalLong.of(loops.nanos().getAsLong() + delay.toNanos());
        }
        loops.after(delay, () -> refresh(kept, turn));
    }

    private <A> void refresh(Kept<A> kept, int turn) {
        synchronized (this) {
            if (turn != kept.turn) {
                return;
            }
            kept.dueAtNanos = OptionalLong.empty();
            long idleNanos = loops.nanos().getAsLong() - kept.usedAtNanos;
            boolean wanted = !kept.evicted && idleNanos < config.idleAfter().toNanos();
            if (!wanted || loops.isClosed().getAsBoolean()) {
                kept.followed = false;
                return;
            }
        }
        tally.refreshes.increment();
        CompletionStage<A> stage = loops.guard().refresh(kept.question::ask);
        stage.whenComplete((answer, error) -> {
            Duration delay = part(0.8);
            try {
                refreshed(kept, answer, error);
                delay = next(kept, error);
            } catch (RuntimeException e) {
                log.warn("an answer could not be kept", e); // and is asked for again all the same
            } finally {
                follow(kept, delay);
            }
        });
    }

    private synchronized <A> void refreshed(Kept<A> kept, @Nullable A answer, @Nullable Throwable error) {
        if (!kept.evicted) {
            settled(kept.question, answer, error);
        }
    }

    private Duration next(Kept<?> kept, @Nullable Throwable error) {
        int failures;
        synchronized (this) {
            failures = kept.failures;
        }
        if (failures == 0) {
            return part(0.8);
        }
        tally.refreshesFailed.increment();
        if (error != null && Failures.of(error) instanceof Overloaded overloaded) {
            Duration asked = overloaded.retryAfter().orElse(Duration.ZERO);
            return asked.compareTo(config.refreshEvery()) > 0 ? asked : part(0.8);
        }
        long interval = config.refreshEvery().toNanos();
        long cap = Math.min(interval, (interval / 4) << Math.min(failures - 1, 10));
        return Duration.ofNanos((long) (cap * (0.8 + 0.2 * loops.random().nextDouble())));
    }

    /** A random part of the interval. */
    private Duration part(double from) {
        double part = from + (1 - from) * loops.random().nextDouble();
        return Duration.ofNanos((long) (config.refreshEvery().toNanos() * part));
    }

    // ------------------------------------------------------------ what an answer changes

    private synchronized <A> Outcome<A> settled(Question<A> question, @Nullable A answer, @Nullable Throwable error) {
        long now = loops.nanos().getAsLong();
        if (answer != null) {
            back(now);
            return answered(kept(question), answer, now);
        }
        RegistryException cause = Failures.of(error == null ? new IllegalStateException("no answer") : error);
        if (cause instanceof NoPeersAvailable nothing) {
            back(now);
            return nothing(kept(question), nothing, now);
        }
        if (!isOutage(cause)) {
            back(now);
            return Outcome.of(cause);
        }
        gone |= !(cause instanceof Overloaded || cause instanceof RegistryFault);
        Kept<A> kept = kept(question);
        kept.failures++;
        if (kept.good.isEmpty()) {
            if (kept.none.isEmpty()) {
                forget(kept); // there is nothing to hold on to
            }
            return Outcome.of(cause);
        }
        return standIn(kept, now);
    }

    private static boolean isOutage(RegistryException cause) {
        return cause instanceof Unreachable
                || cause instanceof OutcomeUnknown
                || cause instanceof NotReady
                || cause instanceof Overloaded
                || cause instanceof RegistryFault;
    }

    private void back(long now) {
        if (gone) {
            gone = false;
            refilling = true;
            backAtNanos = now;
            refreshWhatFailed(now);
        }
        refilling &= now - backAtNanos < config.refillTime().toNanos();
    }

    /** What could not be asked meanwhile is asked within an interval from now, and not at once. */
    private void refreshWhatFailed(long now) {
        for (Kept<?> kept : byQuestion.values()) {
            if (kept.followed && kept.failures > 0 && kept.dueAtNanos.isPresent()) {
                double part = SOON * loops.random().nextDouble();
                Duration delay = Duration.ofNanos((long) (config.refreshEvery().toNanos() * part));
                if (now + delay.toNanos() - kept.dueAtNanos.getAsLong() < 0) {
                    follow(kept, delay);
                }
            }
        }
    }

    private <A> Outcome<A> standIn(Kept<A> kept, long now) {
        A good = kept.good.orElseThrow();
        kept.shown = kept.good;
        kept.doubted = true;
        return Outcome.stale(kept.question.aged(good, true, new Freshness(age(kept, now), true)));
    }

    private <A> Outcome<A> answered(Kept<A> kept, A answer, long now) {
        Question<A> question = kept.question;
        kept.failures = 0;
        kept.none = Optional.empty();
        boolean young = now - kept.goodAtNanos < config.refillTime().toNanos();
        boolean doubtful = refilling || (question.isDegraded(answer) && young);
        if (kept.good.isEmpty() || !doubtful || question.covers(answer, kept.good.get())) {
            take(kept, answer, now);
            return Outcome.of(answer);
        }
        A both = question.united(answer, kept.good.get());
        kept.shown = Optional.of(both);
        kept.doubted = true;
        return Outcome.stale(question.aged(both, true, new Freshness(age(kept, now), true)));
    }

    private <A> Outcome<A> nothing(Kept<A> kept, NoPeersAvailable nothing, long now) {
        kept.failures = 0;
        if (refilling && kept.good.isPresent()) {
            return standIn(kept, now);
        }
        kept.good = Optional.empty();
        kept.shown = Optional.empty();
        kept.doubted = false;
        kept.none = Optional.of(nothing);
        version++;
        weigh(kept, 0);
        return Outcome.of(nothing);
    }

    private <A> void take(Kept<A> kept, A answer, long now) {
        kept.good = Optional.of(answer);
        kept.shown = kept.good;
        kept.doubted = false;
        kept.goodAtNanos = now;
        version++;
        weigh(kept, kept.question.bytes(answer));
    }

    // ------------------------------------------------------------ room

    /** What is known of a question, of which this was the last use. */
    @SuppressWarnings("unchecked") // a question's answers are of its own type
    private <A> Kept<A> kept(Question<A> question) {
        Kept<A> known = (Kept<A>) byQuestion.get(question);
        if (known != null) {
            return known;
        }
        Kept<A> fresh = new Kept<>(question);
        fresh.usedAtNanos = loops.nanos().getAsLong();
        byQuestion.put(question, fresh);
        makeRoom();
        return fresh;
    }

    private void forget(Kept<?> kept) {
        if (kept.underWay.isEmpty() && !kept.evicted) {
            byQuestion.remove(kept.question);
            bytes -= kept.bytes;
            kept.evicted = true;
        }
    }

    private void weigh(Kept<?> kept, long newBytes) {
        if (!kept.evicted) {
            bytes += newBytes - kept.bytes;
            kept.bytes = newBytes;
            makeRoom();
        }
    }

    private void makeRoom() {
        Iterator<Kept<?>> oldest = byQuestion.values().iterator();
        while (oldest.hasNext() && (byQuestion.size() > config.entriesMax() || bytes > config.bytesMax())) {
            Kept<?> kept = oldest.next();
            bytes -= kept.bytes;
            kept.bytes = 0;
            kept.evicted = true;
            oldest.remove();
        }
    }

    synchronized int size() {
        return byQuestion.size();
    }

    synchronized long bytes() {
        return bytes;
    }

    // ------------------------------------------------------------ for the file

    /** A good answer, and when the registry gave it. */
    record Good<A>(Question<A> question, A answer, Duration age) {}

    /** Grows with each change of a good answer. */
    synchronized long version() {
        return version;
    }

    /** All good answers, that used longest ago first. */
    synchronized List<Good<?>> good() {
        long now = loops.nanos().getAsLong();
        List<Good<?>> good = new ArrayList<>();
        byQuestion.values().forEach(kept -> addGood(kept, now, good));
        return good;
    }

    private static <A> void addGood(Kept<A> kept, long now, List<Good<?>> good) {
        kept.good.ifPresent(answer -> good.add(new Good<>(kept.question, answer, age(kept, now))));
    }

    /** Takes in answers of an earlier process: they stand in until the registry has been asked. */
    synchronized void restore(List<Good<?>> good) {
        long now = loops.nanos().getAsLong();
        good.forEach(each -> restore(each, now));
    }

    private <A> void restore(Good<A> good, long now) {
        if (!byQuestion.containsKey(good.question())) {
            take(kept(good.question()), good.answer(), now - good.age().toNanos());
        }
    }
}
