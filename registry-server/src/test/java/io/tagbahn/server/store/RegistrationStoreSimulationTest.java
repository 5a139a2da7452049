// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.peer.RegisterCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations in random order, each answer and everything readable compared with {@link StoreModel}. */
class RegistrationStoreSimulationTest {

    private static final int STEPS = 2_000;
    private static final int INSTANCES = 8;
    private static final List<InstanceStatus> STATUSES = List.of(InstanceStatus.values());
    private static final List<RegisterMode> MODES = List.of(RegisterMode.values());

    /** Few, so that instances share them, and with characters where UTF-16 and UTF-8 differ in order. */
    private static final List<String> TAGS = List.of(
            "a",
            "ab",
            "b",
            "s0",
            "s1",
            "\uFF5E",
            "\uD83D\uDE00",
            "\u00E9",
            "http://example.org/x",
            "<http://x/a> <http://x/b> \"1\"");

    private static final LeaseTerms TERMS = new LeaseTerms(
            Duration.ofMillis(30),
            Duration.ofMillis(10),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            Duration.ofDays(1));

    private SplittableRandom random = new SplittableRandom();
    private long nanos = Long.MAX_VALUE - 1_000_000_000; // the ticker wraps round on the way
    private long millis = 1_700_000_000_000L;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyAnswerIsTheModels(long seed) {
        random = new SplittableRandom(seed);
        RegistrationStore store = new RegistrationStore(StoreLimits.defaults(), TERMS);
        StoreModel model = new StoreModel(TERMS);
        for (int step = 0; step < STEPS; step++) {
            long advance = random.nextLong(3_000_000);
            nanos += advance;
            millis += advance / 1_000_000;
            Now now = new Now(nanos, millis);
            String done = step(store, model, now);
            compare("seed " + seed + ", step " + step + ": " + done, store, model);
        }
    }

    private String step(RegistrationStore store, StoreModel model, Now now) {
        int choice = random.nextInt(10);
        if (choice < 4) {
            RegisterRequest request = request(model, now);
            same(
                    request.toString(),
                    () -> store.register(RegisterCommand.of(request), now).generation(),
                    () -> model.register(request, now));
            return request.toString();
        } else if (choice < 6) {
            List<LeaseRef> leases = List.of(lease(model, now), lease(model, now), lease(model, now));
            same(leases.toString(), () -> store.heartbeat(leases, now), () -> model.heartbeat(leases, now));
            return "heartbeat " + leases;
        } else if (choice < 7) {
            LeaseRef lease = lease(model, now);
            same(lease.toString(), () -> store.deregister(lease, now).known(), () -> model.deregister(lease, now));
            return "deregister " + lease;
        } else if (choice < 8) {
            InstanceId id = id();
            InstanceStatus status = status();
            same(
                    id + " " + status,
                    () -> {
                        store.setStatus(id, status, "", now);
                        return "";
                    },
                    () -> {
                        model.setStatus(id, status);
                        return "";
                    });
            return "setStatus " + id + " " + status;
        }
        same("tick", () -> store.tick(now).expired(), () -> model.tick(now));
        return "tick";
    }

    private static void same(String what, Supplier<?> store, Supplier<?> model) {
        assertThat(outcome(store)).as(what).isEqualTo(outcome(model));
    }

    private static Object outcome(Supplier<?> call) {
        try {
            return call.get();
        } catch (StaleGeneration e) {
            return "stale, current " + e.current();
        } catch (NotFound e) {
            return "not found";
        } catch (RegistryException e) {
            return e.toString();
        }
    }

    private InstanceId id() {
        return new InstanceId("i" + random.nextInt(INSTANCES));
    }

    private InstanceStatus status() {
        return random.nextInt(3) > 0 ? InstanceStatus.UP : STATUSES.get(random.nextInt(STATUSES.size()));
    }

    private RegisterRequest request(StoreModel model, Now now) {
        InstanceId id = id();
        Instance instance = Instance.of(
                        new ServiceName("s" + random.nextInt(3)),
                        new HostPort(Host.parse("10.0.0.1"), 1 + random.nextInt(9)))
                .withId(id)
                .withStatus(status());
        List<Tag> tags = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            tags.add(Tag.parse(TAGS.get(random.nextInt(TAGS.size()))));
        }
        OptionalLong generation = random.nextBoolean()
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(1, model.newest(id, now) + random.nextInt(4) - 1));
        Optional<Duration> lease =
                random.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofMillis(random.nextInt(200) - 20));
        RegisterMode mode = MODES.get(random.nextInt(MODES.size()));
        return new RegisterRequest(instance, tags, lease, mode, generation);
    }

    private LeaseRef lease(StoreModel model, Now now) {
        InstanceId id = id();
        int difference = random.nextInt(8);
        long generation =
                difference == 0 ? 0 : model.newest(id, now) + (difference == 1 ? -1 : difference == 2 ? 1 : 0);
        return new LeaseRef(id, Math.max(0, generation));
    }

    private static void compare(String when, RegistrationStore store, StoreModel model) {
        List<String> names = new ArrayList<>();
        store.visitEntries("", Optional.empty(), names::add);
        assertThat(names).as(when).isEqualTo(model.names());
        assertThat(store.entryCount()).as(when).isEqualTo(names.size());
        assertThat(store.instanceCount()).as(when).isEqualTo(model.instances().size());
        Set<String> asked = new HashSet<>(TAGS);
        asked.addAll(List.of("s0", "s1", "s2", "absent"));
        for (String tag : asked) {
            String entry = Tag.parse(tag).spelling();
            List<Instance> peers = new ArrayList<>();
            boolean present = store.forEachPeer(entry, peer -> peers.add(peer.instance()));
            assertThat(peers).as("%s, under %s", when, entry).containsExactlyInAnyOrderElementsOf(model.peers(entry));
            assertThat(present).as("%s, under %s", when, entry).isEqualTo(names.contains(entry));
        }
    }
}
