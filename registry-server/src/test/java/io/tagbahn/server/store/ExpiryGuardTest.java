// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.peer.RegisterCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExpiryGuardTest {

    private static final int COUNT = 100;

    private final RegistrationStore store = new RegistrationStore(
            StoreLimits.defaults(), LeaseTerms.defaults(), ExpiryGuardTerms.of(LeaseTerms.defaults()));

    private static Now at(long seconds) {
        return new Now(Duration.ofSeconds(seconds).toNanos(), 1_700_000_000_000L + 1_000 * seconds);
    }

    private static LeaseRef lease(int i) {
        return new LeaseRef(new InstanceId("i" + i), 1);
    }

    private void register(int from, int to, long second) {
        for (int i = from; i < to; i++) {
            Instance instance = Instance.of(new ServiceName("s"), HostPort.parse("10.0.0.1:80"))
                    .withId(new InstanceId("i" + i));
            store.register(
                    RegisterCommand.of(new RegisterRequest(
                            instance, List.of(), Optional.empty(), RegisterMode.REPLACE, OptionalLong.of(1))),
                    at(second));
        }
    }

    @Test
    void fewLeasesEndAtTheirEnd() {
        register(0, 30, 0);
        register(30, COUNT, 25);

        assertThat(store.tick(at(30)).expired()).isEqualTo(30);
        assertThat(store.isHolding()).isFalse();
    }

    @Test
    void manyThatEndAtOnceAreHeldForTwoLeasesAndThenEnd() {
        register(0, 31, 0);
        register(31, COUNT, 25);

        assertThat(store.tick(at(30)).expired()).isZero();
        assertThat(store.isHolding()).isTrue();
        assertThat(store.instanceCount()).isEqualTo(COUNT);
        for (int i = 31; i < COUNT; i++) {
            store.heartbeat(List.of(lease(i)), at(50));
        }
        assertThat(store.tick(at(79)).expired()).isZero();
        for (int i = 31; i < COUNT; i++) {
            store.heartbeat(List.of(lease(i)), at(79));
        }
        assertThat(store.tick(at(90)).expired()).isEqualTo(31);
        assertThat(store.isHolding()).isFalse();
    }

    @Test
    void holdingEndsAWindowAfterHeartbeatsHaveComeBack() {
        register(0, COUNT, 0);
        assertThat(store.tick(at(30)).expired()).isZero();

        for (int i = 0; i < 60; i++) {
            assertThat(store.heartbeat(List.of(lease(i)), at(35)).unknown()).isEmpty();
        }
        assertThat(store.tick(at(44)).expired()).isZero();
        assertThat(store.tick(at(45)).expired()).isEqualTo(40);
        assertThat(store.instanceCount()).isEqualTo(60);
    }
}
