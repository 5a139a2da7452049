// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.RegistryException;
import io.tagbahn.peer.NodeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A question to a smallest set of nodes that hold all entries between them.
 *
 * <p>Nodes that fail or aren't whole are replaced by others as far as there are any.
 *
 * @param <A> the answer of a node
 */
final class Covering<A> {

    private final ClusterView view;
    private final Peers peers;
    private final Function<Replica, CompletionStage<A>> question;
    private final Function<A, NodeView> nodeOf;
    private final Predicate<Throwable> isFinal;
    private final Map<String, A> answers = new LinkedHashMap<>();
    private final Set<String> failed = new LinkedHashSet<>();
    private @Nullable RegistryException refusal;

    /**
     * What the nodes said.
     *
     * @param whole the nodes whose answers are whole together; none where there are no such
     */
    record Answers<A>(Map<String, A> byNode, Set<String> whole, boolean degraded) {}

    /** @param isFinal whether an error is one of the question, which no other node would answer otherwise */
    Covering(
            ClusterView view,
            Peers peers,
            Function<Replica, CompletionStage<A>> question,
            Function<A, NodeView> nodeOf,
            Predicate<Throwable> isFinal) {
        this.view = view;
        this.peers = peers;
        this.question = question;
        this.nodeOf = nodeOf;
        this.isFinal = isFinal;
    }

    CompletionStage<Answers<A>> ask() {
        Optional<Set<String>> whole;
        Set<String> needed;
        synchronized (this) {
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
            whole = whole();
            needed = whole.orElseGet(
                    () -> view.listed().get(0).cover(Set.copyOf(failed)).nodes());
        }
        List<CompletionStage<?>> asked = new ArrayList<>();
        for (String node : needed) {
            Optional<Replica> replica = peers.get(node, view);
            if (replica.isPresent() && !isAnswered(node)) {
                asked.add(question.apply(replica.get()).whenComplete((answer, error) -> take(node, answer, error)));
            }
        }
        return asked.isEmpty() ? conclude(whole) : Settled.all(asked).thenCompose(done -> ask());
    }

    /**
     * Nodes whose answers are whole together, as far as is known: by the ring that is read, or by one before it while nodes
     * are being filled for this one.
     */
    private Optional<Set<String>> whole() {
        for (ClusterView.Listed ring : view.listed()) {
            Set<String> useless = new LinkedHashSet<>(failed);
            answers.forEach((node, answer) -> {
                if (!nodeOf.apply(answer).whole().contains(ring.hash())) {
                    useless.add(node);
                }
            });
            ClusterView.Cover cover = ring.cover(useless);
            if (cover.whole()) {
                return Optional.of(cover.nodes());
            }
        }
        return Optional.empty();
    }

    private synchronized boolean isAnswered(String node) {
        return answers.containsKey(node);
    }

    private synchronized void take(String node, @Nullable A answer, @Nullable Throwable error) {
        if (error == null && answer != null) {
            answers.put(node, answer);
            return;
        }
        failed.add(node);
        if (error != null && Settled.cause(error) instanceof RegistryException known && isFinal.test(known)) {
            refusal = known;
        }
    }

    private synchronized CompletionStage<Answers<A>> conclude(Optional<Set<String>> whole) {
        if (answers.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new NotReady("no other node could be reached", Optional.of(Duration.ofSeconds(1))));
        }
        boolean degraded = whole.isEmpty()
                || answers.values().stream()
                        .anyMatch(answer -> nodeOf.apply(answer).holding());
        return CompletableFuture.completedFuture(
                new Answers<>(new LinkedHashMap<>(answers), whole.orElse(Set.of()), degraded));
    }
}
