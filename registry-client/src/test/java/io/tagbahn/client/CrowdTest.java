// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hundreds of clients of three nodes, in virtual time: what they do to a registry that is overloaded or was gone. */
class CrowdTest {

    private static final int NODES = 3;
    private static final long SEED = 77;

    private final SteppedTimer timer = new SteppedTimer();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Desk> desks = new ArrayList<>();

    /** What one node can do: so many calls a second, and a fifth of a second of them at once. */
    private final class Desk {
        private final double perSecond;
        private final Signal signal;
        private double room;
        private long atNanos = timer.getAsLong();
        private long arrived;
        private long accepted;

        Desk(double perSecond, Signal signal) {
            this.perSecond = perSecond;
            this.signal = signal;
            this.room = perSecond / 5;
        }

        Optional<RegistryException> admit() {
            arrived++;
            long now = timer.getAsLong();
            room = Math.min(perSecond / 5, room + (now - atNanos) / 1e9 * perSecond);
            atNanos = now;
            if (room < 1) {
                return Optional.of(new Overloaded("busy", signal, Optional.of(Duration.ofMillis(100))));
            }
            room--;
            accepted++;
            return Optional.empty();
        }
    }

    @BeforeEach
    void tellTheSeed() {
        System.out.println("seed " + SEED);
    }

    private void crowd(int count, double perSecond, Signal signal, RegistryClientConfig config) {
        for (int node = 0; node < NODES; node++) {
            desks.add(new Desk(perSecond / NODES, signal));
        }
        InMemoryRegistry registry = new InMemoryRegistry(timer);
        for (int i = 0; i < count; i++) {
            SimulatedClient client = new SimulatedClient(config, NODES, random.nextLong(), timer, registry);
            for (int node = 0; node < NODES; node++) {
                client.nodes.get(node).admission = desks.get(node)::admit;
                client.nodes.get(node).hosts = () -> List.of(SimulatedClient.instance("s", 1));
            }
            clients.add(client);
        }
    }

    private long arrived() {
        return desks.stream().mapToLong(desk -> desk.arrived).sum();
    }

    private long accepted() {
        return desks.stream().mapToLong(desk -> desk.accepted).sum();
    }

    // ------------------------------------------------------------ overload

    private record Load(long calls, long attempts, long succeeded) {}

    /** Calls of all clients together at this rate, at random times. */
    private Load offer(double perSecond, Duration time) {
        long calls = 0;
        long arrivedBefore = arrived();
        List<CompletableFuture<ServicePeers>> answers = new ArrayList<>();
        long until = timer.getAsLong() + time.toNanos();
        Question.Named question = new Question.Named(new ServiceName("s"));
        while (timer.getAsLong() < until) {
            timer.run(Duration.ofNanos((long) (-Math.log(1 - random.nextDouble()) / perSecond * 1e9)));
            answers.add(clients.get(random.nextInt(clients.size())).kept.answer(question));
            calls++;
        }
        timer.run(Duration.ofSeconds(1));
        long succeeded = answers.stream()
                .filter(answer -> answer.isDone() && !answer.isCompletedExceptionally())
                .count();
        return new Load(calls, arrived() - arrivedBefore, succeeded);
    }

    @ParameterizedTest
    @CsvSource({
        "2, TRY_ELSEWHERE",
        "5, TRY_ELSEWHERE",
        "10, TRY_ELSEWHERE",
        "2, RETRY_AFTER",
        "5, RETRY_AFTER",
        "10, RETRY_AFTER",
        "10, STOP"
    })
    void anOverloadedRegistryGetsNoMoreThanAFifthOnTopAndStaysBusyWithWorkThatCounts(int times, Signal signal) {
        double sustainable = 300;
        RegistryClientConfig config = RegistryClientConfig.defaults();
        crowd(100, sustainable, signal, config.withKept(config.kept().none()));
        offer(sustainable / 2, Duration.ofSeconds(10));
        long acceptedBefore = accepted();
        Load load = offer(sustainable * times, Duration.ofSeconds(30));
        System.out.printf(
                Locale.ROOT,
                "%d times, %s: %.2f attempts a call, goodput %.3f%n",
                times,
                signal,
                load.attempts / (double) load.calls,
                (accepted() - acceptedBefore) / (31 * sustainable));
        assertThat(load.attempts / (double) load.calls).as("amplification").isLessThanOrEqualTo(1.2);
        assertThat((accepted() - acceptedBefore) / (31 * sustainable))
                .as("goodput")
                .isGreaterThan(0.9);
        assertThat(load.succeeded).isGreaterThan((long) (0.9 * 30 * sustainable));
        offer(sustainable / 2, Duration.ofSeconds(1)); // and the second in which answers are waited for
        Load after = offer(sustainable / 2, Duration.ofSeconds(5));
        assertThat(after.succeeded / (double) after.calls)
                .as("two seconds later")
                .isGreaterThan(0.99);
    }

    // ------------------------------------------------------------ outage

    private void down(boolean isDown) {
        clients.forEach(client -> client.nodes.forEach(node -> node.down = isDown));
    }

    private long arrivedIn(Duration time) {
        long before = arrived();
        timer.run(time);
        return arrived() - before;
    }

    @Test
    void afterAnOutageOfAMinuteNoStormComesAndAllAnswersAreFreshWithinFiveSeconds() {
        RegistryClientConfig config = RegistryClientConfig.defaults();
        Duration interval = Duration.ofSeconds(4);
        crowd(300, 1e6, Signal.STOP, config.withKept(config.kept().withRefreshEvery(interval)));
        List<Question.Named> questions = IntStream.range(0, 5)
                .mapToObj(i -> new Question.Named(new ServiceName("s" + i)))
                .toList();
        assertThat(clients)
                .allSatisfy(client -> questions.forEach(
                        question -> assertThat(client.kept.answer(question)).isNotNull()));
        timer.run(Duration.ofSeconds(40));
        double normal = arrivedIn(Duration.ofSeconds(40)) / 40.0;
        down(true);
        timer.run(Duration.ofSeconds(60));
        assertThat(clients)
                .allSatisfy(client -> questions.forEach(question -> {
                    ServicePeers answer = client.kept.answer(question).join();
                    assertThat(answer.instances()).hasSize(1);
                    assertThat(answer.freshness().stale()).isTrue();
                    assertThat(answer.freshness().age()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(65));
                }));
        down(false);
        for (int second = 0; second < 5; second++) {
            assertThat(arrivedIn(Duration.ofSeconds(1)) / normal)
                    .as("second " + second)
                    .isLessThan(2);
        }
        assertThat(clients)
                .allSatisfy(client -> questions.forEach(question -> assertThat(
                                client.kept.answer(question).join().freshness().stale())
                        .isFalse()));
    }
}
