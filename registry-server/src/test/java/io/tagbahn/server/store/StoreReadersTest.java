// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.RegisterCommand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Readers on threads of their own, while one writer changes the store under them. */
class StoreReadersTest {

    private static final int LASTING = 3_000;
    private static final int ROUNDS = 40;
    private static final int PAGE = 97;

    private final RegistrationStore store = new RegistrationStore(StoreLimits.defaults(), LeaseTerms.defaults());
    private final Now now = new Now(0, 1_700_000_000_000L);

    private void register(String id, int port, List<String> tags) {
        Instance instance = Instance.of(new ServiceName("s"), new HostPort(Host.parse("10.0.0.1"), port))
                .withId(new InstanceId(id));
        store.register(
                RegisterCommand.of(new RegisterRequest(
                        instance,
                        tags.stream().map(Tag::parse).toList(),
                        Optional.empty(),
                        RegisterMode.REPLACE,
                        OptionalLong.empty())),
                now);
    }

    @Test
    void pagesHoldEachLastingEntryExactlyOnceWhileOthersComeAndGo() throws Exception {
        List<String> lasting = new ArrayList<>();
        for (int i = 0; i < LASTING; i++) {
            lasting.add("lasting-" + Integer.toString(i * 7919, 36));
        }
        register("lasting", 1, lasting);
        lasting.add("s");
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService readers = Executors.newFixedThreadPool(2);
        List<Future<Integer>> rounds = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            rounds.add(readers.submit(() -> {
                int count = 0;
                do {
                    checkPages(lasting);
                    count++;
                } while (!done.get());
                return count;
            }));
        }

        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < ROUNDS; round++) {
            List<String> passing = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                passing.add("lasting-" + Integer.toString(random.nextInt(1 << 30), 36) + "-passing");
            }
            register("passing-" + round % 3, 2, passing);
            if (round % 5 == 4) {
                store.deregister(new LeaseRef(new InstanceId("passing-1"), 0), now);
            }
        }
        done.set(true);

        for (Future<Integer> round : rounds) {
            assertThat(round.get(60, TimeUnit.SECONDS)).isPositive();
        }
        readers.shutdown();
    }

    private void checkPages(List<String> lasting) {
        List<String> seen = new ArrayList<>();
        Optional<String> after = Optional.empty();
        while (true) {
            List<String> page = new ArrayList<>();
            store.visitEntries("", after, name -> page.size() < PAGE && page.add(name));
            if (page.isEmpty()) {
                break;
            }
            seen.addAll(page);
            after = Optional.of(page.get(page.size() - 1));
        }
        assertThat(new HashSet<>(seen)).hasSameSizeAs(seen).containsAll(lasting);
    }

    @Test
    void answersAfterARegistrationNeverMixGenerations() throws Exception {
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            tags.add("t" + i);
        }
        // The reader is told which generation (here: port) has been answered to, and must not see an older one.
        AtomicInteger answered = new AtomicInteger(1);
        register("i", 1, tags);
        ExecutorService reader = Executors.newSingleThreadExecutor();
        Future<Set<Integer>> seen = reader.submit(() -> {
            Set<Integer> ports = new HashSet<>();
            while (answered.get() < 300) {
                int least = answered.get();
                for (String tag : tags) {
                    store.forEachPeer(tag, peer -> {
                        assertThat(peer.instance().port()).isGreaterThanOrEqualTo(least);
                        ports.add(peer.instance().port());
                    });
                }
            }
            return ports;
        });
        for (int port = 2; port <= 300; port++) {
            register("i", port, tags.subList(port % 50, tags.size()));
            answered.set(port);
        }

        assertThat(seen.get(60, TimeUnit.SECONDS)).isNotNull();
        reader.shutdown();
        List<Integer> last = new ArrayList<>();
        tags.forEach(
                tag -> store.forEachPeer(tag, peer -> last.add(peer.instance().port())));
        assertThat(last).hasSize(200).containsOnly(300);
    }
}
