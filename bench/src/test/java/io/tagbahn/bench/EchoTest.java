// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EchoTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    @Test
    void callsInAClosedLoopAreCounted() throws Exception {
        try (RpcLoops loops = RpcLoops.start("echo", 1, System::nanoTime);
                RpcServer server = RpcServer.start(
                        loops,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        EchoService.service(),
                        RpcLimits.defaults());
                RpcClient client = RpcClient.create(
                        loops, server.address(), RpcClientConfig.defaults(), new SplittableRandom(1))) {
            assertThat(EchoService.call(client, "text", Duration.ofSeconds(10))
                            .toCompletableFuture()
                            .join()
                            .getSuccess())
                    .containsExactly("text");
            LoopOutcome outcome = new ClosedLoop(
                            1,
                            4,
                            System::nanoTime,
                            connection -> () -> EchoService.call(client, "x", SHORT.multipliedBy(50)))
                    .run(SHORT);
            assertThat(outcome.calls()).isPositive();
            assertThat(outcome.failures()).isZero();
            assertThat(outcome.latencyNanos().getTotalCount()).isEqualTo(outcome.calls());
            assertThat(outcome.summary()).contains("calls/s");
        }
    }

    @Test
    void callsThatEndAtOnceDoNotNest() throws Exception {
        LoopOutcome outcome = new ClosedLoop(
                        1, 1, System::nanoTime, connection -> () -> CompletableFuture.completedFuture("x"))
                .run(SHORT);
        assertThat(outcome.calls()).isGreaterThan(10);
    }

    @Test
    void bytesComeBack() throws Exception {
        RawEcho.Outcome outcome = RawEcho.run(1, 2, 4, 16, SHORT);
        assertThat(outcome.messagesPerSecond()).isPositive();
        assertThat(outcome.cpuMicrosPerMessage()).isPositive();
    }
}
