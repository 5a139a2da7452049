// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.rpc.CallGate;
import io.tagbahn.rpc.ReadyAnswer;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryResult;
import io.tagbahn.wire.WireErrors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the load tells of answers, and what callers do that are refused. */
class RawLoadTest {

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration LENGTH = Duration.ofMillis(500);
    private static final double RATE = 200;

    private final AtomicInteger told = new AtomicInteger();

    private static ReadyAnswer refusal(Signal signal, Optional<Duration> wait) {
        return new ReadyAnswer(
                WireErrors.fail(new Discovery.tagDiscover_result(), new Overloaded("too much", signal, wait))
                        .orElseThrow());
    }

    private Offered run(CallGate.Door door, OfferedLoad load) throws Exception {
        RpcService service = RpcService.builder()
                .method("tagDiscover", Discovery.tagDiscover_args::new, (arguments, call) -> {
                    if (arguments.getQuery().isSetContext()) {
                        told.incrementAndGet();
                    }
                    Discovery.tagDiscover_result result = new Discovery.tagDiscover_result();
                    result.setSuccess(new TagDiscoveryResult(Map.of("x".repeat(3_000), List.of())));
                    return CompletableFuture.completedFuture(result);
                })
                .build();
        try (RpcLoops loops = RpcLoops.start("raw-load-test", 1, System::nanoTime);
                RpcServer server = RpcServer.start(
                        loops,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        service,
                        RpcLimits.defaults(),
                        times -> door);
                RawLoad raw = new RawLoad(
                        List.of(server.address()),
                        2,
                        List.of("a", "longer"),
                        DEADLINE,
                        System::nanoTime,
                        new SplittableRandom(3))) {
            return Offered.of(raw.run(load).line());
        }
    }

    private static OfferedLoad open(Manners manners) {
        return OfferedLoad.of(
                OfferedLoad.open(LENGTH, RATE, LENGTH, RATE, manners).line());
    }

    @Test
    void allThatIsDueIsSentAndAnswered() throws Exception {
        Offered offered = run(CallGate.Door.OPEN, open(Manners.OBEDIENT));
        assertThat(offered.calls).isBetween(195L, 202L);
        assertThat(offered.good).isEqualTo(offered.calls);
        assertThat(offered.sent).isEqualTo(offered.calls);
        assertThat(offered.latencyNanos.getTotalCount()).isEqualTo(offered.calls);
        assertThat(told.get()).isEqualTo(offered.calls);
        long inSlots = 0;
        for (int slot = 0; slot < offered.slots(); slot++) {
            assertThat(offered.goodIn(slot)).isEqualTo(offered.dueIn(slot));
            inSlots += offered.dueIn(slot);
        }
        assertThat(inSlots).isEqualTo(offered.calls);
    }

    @Test
    void aClosedLoopKeepsCallsInFlight() throws Exception {
        Offered offered = run(CallGate.Door.OPEN, OfferedLoad.closed(LENGTH, 4));
        assertThat(offered.good).isEqualTo(offered.calls).isGreaterThan(20);
    }

    @Test
    void naiveCallersCallAgainThreeTimesAndTellNoDeadline() throws Exception {
        Optional<ReadyAnswer> refusal = Optional.of(refusal(Signal.TRY_ELSEWHERE, Optional.empty()));
        Offered offered = run((method, waited, now) -> refusal, open(Manners.NAIVE));
        assertThat(offered.good).isZero();
        assertThat(offered.sent).isEqualTo(4 * offered.calls);
        assertThat(offered.refused).isEqualTo(offered.sent);
        run(CallGate.Door.OPEN, open(Manners.NAIVE));
        assertThat(told.get()).isZero();
    }

    @Test
    void quietCallersDoNotCallAgain() throws Exception {
        Optional<ReadyAnswer> refusal = Optional.of(refusal(Signal.RETRY_AFTER, Optional.of(Duration.ofMillis(100))));
        Offered offered = run((method, waited, now) -> refusal, open(Manners.QUIET));
        assertThat(offered.refused).isEqualTo(offered.sent).isEqualTo(offered.calls);
    }

    @Test
    void obedientCallersKeepBackWhatWouldBeRefusedAndStayWithinTheirBudget() throws Exception {
        Optional<ReadyAnswer> refusal = Optional.of(refusal(Signal.RETRY_AFTER, Optional.of(Duration.ofMillis(100))));
        Offered offered = run((method, waited, now) -> refusal, open(Manners.OBEDIENT));
        assertThat(offered.good).isZero();
        assertThat(offered.keptBack).isPositive();
        assertThat(offered.sent)
                .isLessThanOrEqualTo((long) (1.2 * (offered.calls - offered.keptBack) + 0.2 * offered.calls) + 1);
        assertThat(offered.refused).isEqualTo(offered.sent);
    }
}
