// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.RegisterCommand;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The carrying out of registrations.
 *
 * <p>The generation is fixed before any node is asked: one that answers late, when another has decided in its place,
 * then makes no other generation of it.
 */
final class Registering {

    private final Peers peers;
    private final Telling telling;
    private final Deciding decision;

    Registering(Peers peers, Telling telling, Deciding decision) {
        this.peers = peers;
        this.telling = telling;
        this.decision = decision;
    }

    /** How a change gets a home that decides it. */
    @FunctionalInterface
    interface Deciding {
        CompletionStage<Decider.Verdict> decide(ClusterView view, Decision decision, long deadlineNanos);
    }

    /**
     * What is done where nodes know something newer.
     *
     * @param left how many times the generation may still be raised; never where the caller has chosen it
     * @param most the highest generation that may be chosen for the caller
     */
    record Raise(int left, long most) {

        /** Of those that compete, one is done each time: enough for as many at once. */
        private static final int RAISES_MAX = 64;

        static final Raise NEVER = new Raise(0, 0);

        static Raise upTo(long most) {
            return new Raise(RAISES_MAX, most);
        }

        Raise next() {
            return new Raise(left - 1, most);
        }

        /** The same registration, newer; where clocks are far apart the home has to say how new. */
        RegisterCommand above(RegisterCommand command, long newest) {
            return command.withGeneration(newest < most ? OptionalLong.of(newest + 1) : OptionalLong.empty());
        }
    }

    /** Carries out a registration whose generation is fixed. */
    CompletionStage<Written> register(ClusterView view, RegisterCommand command, long deadlineNanos, Raise raise) {
        return decision.decide(view, new Decision.Registration(command), deadlineNanos)
                .handle((verdict, error) -> error == null
                        ? told(view, command, verdict, deadlineNanos, raise)
                        : refused(view, command, error, deadlineNanos, raise))
                .thenCompose(Function.identity());
    }

    private CompletionStage<Written> told(
            ClusterView view, RegisterCommand command, Decider.Verdict verdict, long deadlineNanos, Raise raise) {
        return telling.tell(view, verdict, deadlineNanos).thenCompose(told -> {
            if (told.better().isPresent()) {
                return giveWay(view, command, verdict, told, deadlineNanos, raise);
            }
            Decided decided = verdict.decided();
            return CompletableFuture.completedFuture(new Written(
                    decided.generation(),
                    Duration.ofMillis(decided.record().orElseThrow().leaseMillis()),
                    Math.min(told.homes(), view.homesWanted()),
                    view.homesWanted()));
        });
    }

    /** Goes on where the home that was asked knows something newer. */
    private CompletionStage<Written> refused(
            ClusterView view, RegisterCommand command, Throwable error, long deadlineNanos, Raise raise) {
        return Settled.cause(error) instanceof StaleGeneration stale && raise.left() > 0
                ? register(view, raise.above(command, stale.current()), deadlineNanos, raise.next())
                : CompletableFuture.failedFuture(error);
    }

    /** Goes on where some node knows something newer than what was decided. */
    private CompletionStage<Written> giveWay(
            ClusterView view,
            RegisterCommand command,
            Decider.Verdict verdict,
            Telling.Told told,
            long deadlineNanos,
            Raise raise) {
        InstanceId id = command.instance().id();
        String by = verdict.by().id();
        return known(view, by, by, id, deadlineNanos).thenCompose(decided -> {
            for (Change change : decided) {
                if (change instanceof Change.RecordCopy record
                        && record.generation() >= told.newest()
                        && contains(record, command)) {
                    // The home has decided another call upon this one, and that was faster.
                    return CompletableFuture.completedFuture(new Written(
                            record.generation(),
                            Duration.ofMillis(record.leaseMillis()),
                            view.homesWanted(),
                            view.homesWanted()));
                }
            }
            return known(view, told.better().orElseThrow(), by, id, deadlineNanos)
                    .thenCompose(better -> takeBack(view, verdict.decided(), better, deadlineNanos))
                    .thenCompose(done -> raise.left() > 0
                            ? register(view, raise.above(command, told.newest()), deadlineNanos, raise.next())
                            : CompletableFuture.failedFuture(new StaleGeneration(
                                    "instance " + id + " is known up to generation " + told.newest() + "; this is "
                                            + verdict.decided().generation(),
                                    told.newest())));
        });
    }

    /** What a node knows of an instance, for another one; nothing where it doesn't say so. */
    private CompletionStage<List<Change>> known(
            ClusterView view, String node, String asker, InstanceId id, long deadlineNanos) {
        return peers.get(node, view)
                .map(knowing -> knowing.copiesOf(asker, List.of(id), telling.untilNanos(deadlineNanos))
                        .handle((copies, error) -> error == null ? copies.changes() : List.<Change>of()))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
    }

    private static boolean contains(Change.RecordCopy record, RegisterCommand command) {
        Set<String> entries = new HashSet<>(record.entries());
        return switch (command.mode()) {
            case ADD -> entries.containsAll(command.tags());
            case REMOVE -> command.tags().stream().noneMatch(entries::contains);
            case REPLACE -> false;
        };
    }

    /** Has those that took a registration take over what another node knows better. */
    private CompletionStage<Void> takeBack(ClusterView view, Decided refused, List<Change> better, long deadlineNanos) {
        Change.RecordCopy taken = refused.record().orElseThrow();
        Map<String, Change> changes = new LinkedHashMap<>();
        for (Change change : better) {
            if (change instanceof Change.RecordCopy record) {
                changes.putAll(Telling.shares(view, record, taken.entries()));
            } else if (change instanceof Change.Removal removal) {
                Telling.shares(view, taken, List.of()).keySet().forEach(node -> changes.put(node, removal));
            }
        }
        return telling.send(view, changes, deadlineNanos).handle((done, error) -> null);
    }
}
