// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls that wait for changes, one after the other, in virtual time. */
class FollowingTest {

    private static final WatchedTarget TARGET = new WatchedTarget.Tags(List.of("books"));

    private final SimulatedClient client = new SimulatedClient(RegistryClientConfig.defaults(), 3, 11);
    private final List<FollowedNode> nodes =
            client.nodes.stream().map(node -> new FollowedNode(client.timer)).toList();
    private final Loops loops =
            new Loops(client.guard, client.timer, client.timer, new SplittableRandom(12), () -> false);
    private final List<TagPeers> told = new ArrayList<>();
    private final List<RegistryException> errors = new ArrayList<>();
    private final WatchListener<TagPeers> listener = new WatchListener<>() {
        @Override
        public void changed(TagPeers answer) {
            told.add(answer);
        }

        @Override
        public void failed(RegistryException error) {
            errors.add(error);
        }
    };

    FollowingTest() {
        IntStream.range(0, nodes.size()).forEach(i -> client.nodes.get(i).meaning = Optional.of(nodes.get(i)));
    }

    private Watch watch(QueueingExecutor callbacks) {
        return Watch.telling(loops, new Callbacks(callbacks), TARGET, Watched::tags, listener);
    }

    private int calls() {
        return nodes.stream().mapToInt(node -> node.calls.size()).sum();
    }

    private FollowedNode asked() {
        return nodes.stream().filter(node -> !node.calls.isEmpty()).findFirst().orElseThrow();
    }

    @Test
    void watchStaysWithItsNodeUntilThatFails() {
        nodes.forEach(node -> node.answersAfter = Duration.ofMillis(200));
        watch(new QueueingExecutor(1));
        client.timer.run(Duration.ofSeconds(2));
        FollowedNode first = asked();
        assertThat(first.calls).hasSizeGreaterThan(8).hasSize(calls());
        first.failure = Optional.of(new Unreachable("gone"));
        client.timer.run(Duration.ofSeconds(1));
        int calls = first.calls.size();
        first.failure = Optional.empty();
        client.timer.run(Duration.ofSeconds(20));
        assertThat(first.calls).as("it does not come back by itself").hasSize(calls);
        assertThat(nodes).filteredOn(node -> !node.calls.isEmpty()).hasSize(2);
        assertThat(nodes.stream().flatMap(node -> node.tokens.stream()).filter(Optional::isEmpty))
                .as("the other node goes on from the token")
                .hasSize(1);
    }

    @Test
    void answersInQuickSuccessionArePaced() {
        watch(new QueueingExecutor(1));
        client.timer.run(Duration.ofSeconds(1));
        assertThat(asked().calls.subList(0, 2))
                .as("a change right after the first answer is not held up")
                .allMatch(time -> time.toMillis() < 50);
        assertThat(calls()).isBetween(18, 22);
    }

    @Test
    void changesOfEntriesArePaced() {
        EntryCopy copy = new EntryCopy(loops, 1_000, (added, removed) -> CompletableFuture.completedFuture(null));
        copy.start();
        client.timer.run(Duration.ofSeconds(1));
        assertThat(calls()).isBetween(18, 22);
        copy.close();
    }

    @Test
    void changeThatCouldNotBeTakenInIsToldAgainBeforeTheNextOne() {
        List<String> taken = new ArrayList<>();
        AtomicInteger refusals = new AtomicInteger();
        EntryCopy copy = new EntryCopy(loops, 1_000, (added, removed) -> {
            if (refusals.incrementAndGet() % 3 == 1) {
                throw new RejectedExecutionException("no room");
            }
            if (refusals.get() % 3 == 2) {
                return CompletableFuture.failedFuture(new OutOfMemoryError("told by a test"));
            }
            taken.addAll(added);
            return CompletableFuture.completedFuture(null);
        });
        copy.start();
        client.timer.run(Duration.ofSeconds(3));
        copy.close();
        assertThat(taken).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        assertThat(taken.subList(0, 3)).containsExactly("e1", "e2", "e3");
    }

    @Test
    void answerForWhichThereIsNoRoomIsToldOnceThereIs() {
        QueueingExecutor callbacks = new QueueingExecutor(0);
        watch(callbacks);
        client.timer.run(Duration.ofSeconds(1));
        assertThat(told).isEmpty();
        callbacks.room = 1;
        client.timer.run(Duration.ofMillis(200));
        callbacks.runAll();
        assertThat(told).hasSize(1);
        client.timer.run(Duration.ofMillis(200));
        assertThat(callbacks.waiting)
                .as("one waits, whatever the number of answers")
                .hasSize(1);
    }

    @Test
    void refusalForWhichThereIsNoRoomIsToldOnceThereIs() {
        QueueingExecutor callbacks = new QueueingExecutor(0);
        nodes.forEach(node -> node.failure = Optional.of(new InvalidArgument("target", "is none")));
        watch(callbacks);
        client.timer.run(Duration.ofSeconds(1));
        callbacks.room = 1;
        client.timer.run(Duration.ofMillis(200));
        callbacks.runAll();
        assertThat(errors).hasSize(1).first().isInstanceOf(InvalidArgument.class);
        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void nothingIsToldOnceTheWatchIsClosed() {
        QueueingExecutor callbacks = new QueueingExecutor(1);
        Watch watch = watch(callbacks);
        client.timer.run(Duration.ofMillis(100));
        assertThat(callbacks.waiting).hasSize(1);
        watch.close();
        callbacks.runAll();
        client.timer.run(Duration.ofSeconds(1));
        callbacks.runAll();
        assertThat(told).isEmpty();
        assertThat(errors).isEmpty();
    }

    @Test
    void taskIsNotOfferedToAThreadThatHasEnded() {
        QueueingExecutor thread = new QueueingExecutor(1);
        AtomicInteger done = new AtomicInteger();
        Coalesced task = new Coalesced(thread, client.timer, done::incrementAndGet);
        task.ask();
        task.ask();
        thread.runAll();
        assertThat(done).hasValue(1);
        thread.shutdown();
        task.ask();
        client.timer.run(Duration.ofSeconds(1));
        task.ask();
        client.timer.run(Duration.ofSeconds(1));
        assertThat(done).hasValue(1);
    }
}
