// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.rpc.CallGate;
import io.tagbahn.rpc.LoopTimes;
import io.tagbahn.rpc.ReadyAnswer;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.server.admission.AdmissionMode;
import io.tagbahn.server.admission.AdmissionTerms;
import io.tagbahn.server.admission.Decision;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Registry;
import io.tagbahn.wire.WireErrors;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.thrift.TSerializable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrontDoorTest {

    private static final long SEED = 11;
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private long nowNanos = 1;
    private boolean othersHaveRoom;
    private boolean hasQuota = true;
    private final List<String> asked = new ArrayList<>();
    private final FrontDoor front = front(AdmissionMode.ENFORCE);
    private final CallGate.Door door = front.door(new LoopTimes(() -> nowNanos));

    private FrontDoor front(AdmissionMode mode) {
        return new FrontDoor(
                new AdmissionTerms(mode, Duration.ofMillis(10), Duration.ofMillis(200), Duration.ofSeconds(2), 100),
                () -> othersHaveRoom,
                caller -> asked.add(caller) && hasQuota,
                () -> nowNanos,
                () -> new SplittableRandom(SEED));
    }

    /** Has far too many calls of a method come for a while, by a loop that never sleeps. */
    private void overload(CallGate.Door on, String method) {
        for (int i = 0; i < 5_000; i++) {
            nowNanos += MILLI / 10;
            boolean begun = on.refusal(method, 50 * MILLI, nowNanos).isEmpty();
            nowNanos += begun ? MILLI : 0;
        }
    }

    private static Overloaded error(Optional<? extends TSerializable> refusal) {
        TSerializable answer = ((ReadyAnswer) refusal.orElseThrow()).answer();
        if (answer instanceof Discovery.heartbeat_result result) {
            return (Overloaded) WireErrors.error(result).orElseThrow();
        }
        if (answer instanceof Discovery.watch_result result) {
            return (Overloaded) WireErrors.error(result).orElseThrow();
        }
        return (Overloaded)
                WireErrors.error((Discovery.tagDiscover_result) answer).orElseThrow();
    }

    private RpcCall call() {
        return new RpcCall(new InetSocketAddress(1), nowNanos, Optional.empty());
    }

    @Test
    void aCallThatHasWaitedTooLongIsRefusedInTheWordsOfItsMethod() {
        assertThat(door.refusal("tagDiscover", 199 * MILLI, nowNanos)).isEmpty();
        assertThat(error(door.refusal("tagDiscover", 201 * MILLI, nowNanos)).signal())
                .isEqualTo(Signal.RETRY_AFTER);
        assertThat(door.refusal("watch", 99 * MILLI, nowNanos)).isEmpty();
        assertThat(error(door.refusal("watch", 101 * MILLI, nowNanos))).isNotNull();
        assertThat(door.refusal("heartbeat", 1_999 * MILLI, nowNanos)).isEmpty();
        assertThat(error(door.refusal("heartbeat", 2_001 * MILLI, nowNanos))).isNotNull();
        assertThat(front.counts().counted(Decision.LATE, Criticality.SHEDDABLE)).isEqualTo(1);
        assertThat(front.counts().counted(Decision.LATE, Criticality.NORMAL)).isEqualTo(1);
        assertThat(front.counts().counted(Decision.LATE, Criticality.CRITICAL)).isEqualTo(1);
        assertThat(front.counts().counted(Decision.ADMITTED, Criticality.CRITICAL))
                .isEqualTo(1);
    }

    @Test
    void callersAreSentElsewhereWhereThereIsRoomAndToldToWaitOtherwise() {
        othersHaveRoom = true;
        Overloaded elsewhere = error(door.refusal("tagDiscover", 300 * MILLI, nowNanos));
        assertThat(elsewhere.signal()).isEqualTo(Signal.TRY_ELSEWHERE);
        assertThat(elsewhere.retryAfter()).isEmpty();
        othersHaveRoom = false;
        Overloaded later = error(door.refusal("tagDiscover", 300 * MILLI, nowNanos));
        assertThat(later.signal()).isEqualTo(Signal.RETRY_AFTER);
        assertThat(later.retryAfter()).contains(Duration.ofMillis(100));
    }

    @Test
    void theWaitGrowsWithWhatIsTooMuch() {
        overload(door, "tagDiscover");
        Overloaded later = error(door.refusal("tagDiscover", 300 * MILLI, nowNanos));
        assertThat(later.retryAfter().orElseThrow()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "memberAddress"})
    void whatTellsHowANodeIsIsNeverRefused(String method) {
        overload(door, "tagDiscover");
        assertThat(door.refusal(method, 100_000 * MILLI, nowNanos)).isEmpty();
    }

    @Test
    void everyOtherMethodMayBeRefused() {
        for (Class<?> service : new Class<?>[] {Discovery.Iface.class, Registry.Iface.class}) {
            for (var method : service.getMethods()) {
                boolean always = method.getName().equals("status");
                assertThat(Refusals.of(method.getName()).isPresent())
                        .as(method.getName())
                        .isEqualTo(!always);
            }
        }
    }

    @Test
    void whoeverObservesOnlyBeginsAllAndCountsWhatWouldBeRefused() {
        FrontDoor observing = front(AdmissionMode.OBSERVE);
        CallGate.Door looking = observing.door(new LoopTimes(() -> nowNanos));
        assertThat(looking.refusal("tagDiscover", 300 * MILLI, nowNanos)).isEmpty();
        assertThat(observing.counts().counted(Decision.LATE, Criticality.NORMAL))
                .isEqualTo(1);
        FrontDoor off = front(AdmissionMode.OFF);
        assertThat(off.door(new LoopTimes(() -> nowNanos)).refusal("tagDiscover", 300 * MILLI, nowNanos))
                .isEmpty();
        assertThat(off.counts().all().values()).allMatch(count -> count == 0);
    }

    @Test
    void moreCallsThanDoAnyGoodDoNotWaitForOtherNodes() {
        for (int i = 0; i < 100; i++) {
            assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
            door.waits("tagDiscover");
        }
        assertThat(door.refusal("tagDiscover", 0, nowNanos)).isPresent();
        assertThat(door.refusal("heartbeat", 0, nowNanos)).isEmpty();
        assertThat(front.counts().counted(Decision.CROWDED, Criticality.NORMAL)).isEqualTo(1);
        door.answered("tagDiscover", MILLI);
        assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
    }

    @Test
    void callsThatWaitForChangesTakeNoRoomFromOthers() {
        for (int i = 0; i < 1_000; i++) {
            door.waits("watch");
            door.waits("catalog");
        }
        assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
    }

    @Test
    void aCallThatSaysItIsSheddableGoesFirst() {
        CallContext sheddable = new CallContext().setCriticality(io.tagbahn.thrift.Criticality.SHEDDABLE);
        assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
        assertThat(front.admitted(sheddable, call()).criticality()).isEqualTo(Criticality.SHEDDABLE);
        overload(door, "watch");
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
            try {
                front.admitted(sheddable, call());
            } catch (Overloaded e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
        assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
        assertThat(front.admitted(null, call()).criticality()).isEqualTo(Criticality.NORMAL);
    }

    @Test
    void whoeverHasUsedUpItsQuotaIsToldToWaitExceptForItsLeases() {
        CallContext named = new CallContext().setCaller("greedy");
        assertThat(door.refusal("tagDiscover", 0, nowNanos)).isEmpty();
        assertThat(front.admitted(named, call()).caller()).contains("greedy");
        assertThat(front.admitted(null, call()).caller()).isEmpty();
        assertThat(asked).containsExactly("greedy", "0.0.0.0");
        hasQuota = false;
        assertThatThrownBy(() -> front.admitted(named, call())).isInstanceOfSatisfying(Overloaded.class, refusal -> {
            assertThat(refusal.signal()).isEqualTo(Signal.RETRY_AFTER);
            assertThat(refusal.retryAfter()).isPresent();
        });
        assertThat(front.counts().counted(Decision.OVER_QUOTA, Criticality.NORMAL))
                .isEqualTo(1);
        assertThat(door.refusal("heartbeat", 0, nowNanos)).isEmpty();
        assertThat(front.admitted(named, call()).caller()).contains("greedy");
    }

    @Test
    void theTimeThatACallHasSpentHereIsTakenFromItsDeadline() {
        RpcCall call = call();
        nowNanos += 30 * MILLI;
        assertThat(front.admitted(new CallContext().setDeadlineMillis(100), call)
                        .deadline())
                .contains(Duration.ofMillis(70));
        nowNanos += 100 * MILLI;
        assertThat(front.admitted(new CallContext().setDeadlineMillis(100), call)
                        .deadline())
                .contains(Duration.ZERO);
        assertThat(front.counts().counted(Decision.EXPIRED, Criticality.NORMAL)).isEqualTo(1);
    }

    @Test
    void itIsBusyForASecondAfterARefusal() {
        assertThat(front.isBusy()).isFalse();
        assertThat(door.refusal("tagDiscover", 300 * MILLI, nowNanos)).isPresent();
        assertThat(front.isBusy()).isTrue();
        nowNanos += 1_001 * MILLI;
        assertThat(front.isBusy()).isFalse();
    }
}
