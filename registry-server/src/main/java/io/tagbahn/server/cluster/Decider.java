// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Unreachable;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first phase of a change: one home after the other is asked until one has decided.
 *
 * <p>A deregistration goes on to the next home where the instance isn't known, since another may know it.
 */
final class Decider {

    /** What a home decided, and which one it was. */
    record Verdict(Replica by, Decided decided) {}

    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final List<Replica> homes;
    private final Decision decision;
    private final long deadlineNanos;
    private final long timeoutNanos;
    private final LongSupplier ticker;
    private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

    private @Nullable Verdict best;
    private @Nullable RegistryException failure;
    private int answered;
    private int notFound;

    private Decider(List<Replica> homes, Decision decision, long deadlineNanos, Duration timeout, LongSupplier ticker) {
        this.homes = homes;
        this.decision = decision;
        this.deadlineNanos = deadlineNanos;
        this.timeoutNanos = timeout.toNanos();
        this.ticker = ticker;
    }

    static CompletionStage<Verdict> decide(
            List<Replica> homes, Decision decision, long deadlineNanos, Duration timeout, LongSupplier ticker) {
        Decider decider = new Decider(homes, decision, deadlineNanos, timeout, ticker);
        decider.ask(0);
        return decider.verdict;
    }

    private void ask(int index) {
        long nowNanos = ticker.getAsLong();
        if (index == homes.size() || (index > 0 && deadlineNanos - nowNanos <= 0)) {
            conclude();
            return;
        }
        Replica home = homes.get(index);
        long untilNanos = Math.min(deadlineNanos - nowNanos, timeoutNanos) + nowNanos;
        home.decide(decision, untilNanos).whenComplete((decided, error) -> {
            if (error == null) {
                took(new Verdict(home, decided), index);
            } else if (Settled.cause(error) instanceof RegistryException refusal) {
                refused(refusal, index);
            } else {
                verdict.completeExceptionally(error);
            }
        });
    }

    private void took(Verdict next, int index) {
        answered++;
        boolean goOn =
                decision instanceof Decision.Deregistration && !next.decided().known();
        if (!goOn) {
            verdict.complete(next);
            return;
        }
        Verdict before = best;
        if (before == null || before.decided().generation() < next.decided().generation()) {
            best = next;
        }
        ask(index + 1);
    }

    private void refused(RegistryException refusal, int index) {
        if (refusal instanceof NotFound) {
            notFound++;
        } else if (refusal instanceof Unreachable
                || refusal instanceof OutcomeUnknown
                || refusal instanceof NotReady
                || refusal instanceof Overloaded
                || refusal instanceof RegistryFault) {
            RegistryException before = failure;
            if (before == null || refusal instanceof OutcomeUnknown) {
                failure = refusal;
            }
        } else {
            verdict.completeExceptionally(refusal); // a home knows better, or the call is wrong
            return;
        }
        ask(index + 1);
    }

    private void conclude() {
        Verdict known = best;
        RegistryException failed = failure;
        if (known != null && (known.decided().generation() > 0 || answered > homes.size() / 2)) {
            verdict.complete(known);
        } else if (notFound > homes.size() / 2 || (notFound > 0 && failed == null)) {
            verdict.completeExceptionally(new NotFound("instance " + decision.id() + " is not registered"));
        } else if (failed instanceof OutcomeUnknown || failed instanceof Overloaded) {
            verdict.completeExceptionally(failed);
        } else {
            verdict.completeExceptionally(
                    new NotReady("no home of instance " + decision.id() + " could be reached", Optional.of(AGAIN)));
        }
    }
}
