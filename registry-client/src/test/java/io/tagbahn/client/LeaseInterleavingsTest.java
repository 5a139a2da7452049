// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static io.tagbahn.client.SimulatedClient.instance;
import static io.tagbahn.client.SimulatedClient.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Instance;
import io.tagbahn.model.LeaseGrant;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Updates, lapses, cuts, losses and restarts in random order: the newest data win, and the dead stay dead. */
class LeaseInterleavingsTest {

    private static final int RUNS = 400;
    private static final Instance BOOKS = instance("books", 8080);

    @Test
    void whateverHappensTheRegistryEndsWithTheNewestData() {
        for (long seed = 1; seed <= RUNS; seed++) {
            Run run = new Run(seed);
            run.disturb();
            run.calm();
            assertThat(run.client.registry.tags(BOOKS.id()))
                    .as("seed %d, after %s", seed, run.client.timer.elapsed())
                    .containsExactly("urn:v" + run.newest);
            assertThat(run.registration.state()).as("seed %d", seed).isEqualTo(RegistrationState.REGISTERED);
            assertThat(run.registration.tags()).as("seed %d", seed).isEqualTo(tags("urn:v" + run.newest));
        }
    }

    @Test
    void versionsNeverGoBack() {
        for (long seed = 1; seed <= RUNS; seed++) {
            Run run = new Run(seed);
            run.disturb();
            run.calm();
            int highest = 0;
            for (var tags : run.client.registry.history) {
                int version = Integer.parseInt(tags.iterator().next().substring("urn:v".length()));
                assertThat(version).as("seed %d", seed).isGreaterThanOrEqualTo(highest);
                highest = version;
            }
        }
    }

    @Test
    void closedAtAnyMomentTheInstanceStaysAway() {
        for (long seed = 1; seed <= RUNS; seed++) {
            Run run = new Run(seed);
            run.restarts = false; // a registry that forgets its tombstones can't hold them against a late call
            run.disturb();
            run.client.nodes.forEach(node -> {
                node.down = false;
                node.hung = false;
                node.lossShare = 0;
            });
            CompletableFuture<Void> closed = run.client.keeper.close(Duration.ofSeconds(5));
            run.client.timer.runUntil(Duration.ofSeconds(6), closed::isDone);
            assertThat(run.client.registry.holds(BOOKS.id()))
                    .as("seed %d", seed)
                    .isFalse();
            int changes = run.client.registry.history.size();
            run.client.timer.run(Duration.ofSeconds(60));
            assertThat(run.client.registry.history).as("seed %d", seed).hasSize(changes);
        }
    }

    /** One random story. */
    private static final class Run {
        private final SplittableRandom random;
        private final SimulatedClient client;
        private final Registration registration;
        private boolean restarts = true;
        private int newest;

        Run(long seed) {
            random = new SplittableRandom(seed);
            client = new SimulatedClient(RegistryClientConfig.defaults(), 1 + random.nextInt(3), seed);
            client.nodes.forEach(node -> node.delayMax = Duration.ofMillis(1 + random.nextInt(400)));
            registration = client.keeper.keep(BOOKS, tags("urn:v0"), RegistrationListener.NONE);
        }

        void disturb() {
            int steps = 5 + random.nextInt(30);
            for (int i = 0; i < steps; i++) {
                InMemoryNode node = client.nodes.get(random.nextInt(client.nodes.size()));
                switch (random.nextInt(7)) {
                    case 0, 1 -> update();
                    case 2 -> node.down = !node.down;
                    case 3 -> node.hung = !node.hung;
                    case 4 -> node.lossShare = random.nextDouble() / 2;
                    case 5 -> {
                        if (restarts && random.nextInt(3) == 0) {
                            client.registry.restartEmpty();
                        }
                    }
                    default -> client.timer.run(Duration.ofMillis(random.nextInt(20_000)));
                }
                client.timer.run(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 50 : 4_000)));
            }
        }

        void calm() {
            client.nodes.forEach(node -> {
                node.down = false;
                node.hung = false;
                node.lossShare = 0;
            });
            client.timer.run(Duration.ofSeconds(45));
        }

        private void update() {
            CompletableFuture<LeaseGrant> ignored =
                    client.keeper.updateTags(registration.lease(), tags("urn:v" + ++newest));
            assertThat(ignored).isNotNull();
        }
    }
}
