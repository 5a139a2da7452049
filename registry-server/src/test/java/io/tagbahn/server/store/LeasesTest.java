// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeasesTest {

    private static StoredInstance instance(int i) {
        return new StoredInstance(
                Instance.of(new ServiceName("s" + i), new HostPort(Host.parse("10.0.0.1"), 1 + i % 60_000)));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void leasesEndInTheOrderOfTheirEnds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Leases leases = new Leases();
        List<StoredInstance> held = new ArrayList<>();
        long now = Long.MAX_VALUE - 5_000;
        for (int step = 0; step < 5_000; step++) {
            now += random.nextInt(10);
            switch (random.nextInt(4)) {
                case 0 -> {
                    StoredInstance added = instance(step);
                    leases.add(added, now + random.nextInt(1_000));
                    held.add(added);
                }
                case 1 -> {
                    if (!held.isEmpty()) {
                        leases.renew(held.get(random.nextInt(held.size())), now + random.nextInt(1_000));
                    }
                }
                case 2 -> {
                    if (!held.isEmpty()) {
                        leases.remove(held.remove(random.nextInt(held.size())));
                    }
                }
                default -> checkEnded(leases, held, now);
            }
            assertThat(leases.size()).isEqualTo(held.size());
        }
    }

    private static void checkEnded(Leases leases, List<StoredInstance> held, long now) {
        long last = Long.MIN_VALUE;
        for (Optional<StoredInstance> ended = leases.poll(now); ended.isPresent(); ended = leases.poll(now)) {
            long lateness = now - ended.get().expiresNanos();
            assertThat(lateness).isNotNegative();
            assertThat(-lateness).isGreaterThanOrEqualTo(last);
            last = -lateness;
            assertThat(held.remove(ended.get())).isTrue();
        }
        assertThat(held).noneMatch(instance -> instance.expiresNanos() - now <= 0);
    }
}
