// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.thrift.Discovery;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RpcCallsTest {

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final TestService service = new TestService();
    private RpcLoops loops;
    private RpcServer server;

    @BeforeEach
    void start() {
        loops = RpcLoops.start("rpc-test", 2, System::nanoTime);
        server = RpcServer.start(
                loops,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                service.service(),
                RpcLimits.defaults());
    }

    @AfterEach
    void stop() {
        server.close();
        loops.close();
    }

    private RpcClient client(WireForm form) {
        return RpcClient.create(
                loops,
                server.address(),
                RpcClientConfig.defaults().withCompact(form.compact()).withFramed(form.framed()),
                new SplittableRandom(1));
    }

    private static CompletableFuture<String> owners(RpcClient client, String tag, Duration deadline) {
        return client.call("owners", new Discovery.owners_args(tag, null), Discovery.owners_result::new, deadline)
                .thenApply(result -> result.getSuccess().get(0))
                .toCompletableFuture();
    }

    @ParameterizedTest
    @EnumSource
    void longAnswerThatComesLaterIsSentAtOnce(WireForm form) {
        try (RpcClient client = client(form)) {
            String tag = "hold" + "x".repeat(100_000);
            CompletableFuture<String> answer = owners(client, tag, DEADLINE);
            await().until(() -> !service.held.isEmpty());
            service.held.remove().answer();
            assertThat(answer.join()).isEqualTo(tag);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsAreAnsweredInEveryForm(WireForm form) {
        try (RpcClient client = client(form)) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                answers.add(owners(client, "tag é\uD83D\uDE00 " + i, DEADLINE));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).join()).isEqualTo("tag é\uD83D\uDE00 " + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void libthriftsOwnClientWorksInEveryForm(WireForm form) throws Exception {
        try (TTransport transport = stock(form)) {
            transport.open();
            Discovery.Client client = new Discovery.Client(
                    form.compact() ? new TCompactProtocol(transport) : new TBinaryProtocol(transport));
            for (int i = 0; i < 100; i++) {
                assertThat(client.owners("tag é " + i, null)).containsExactly("tag é " + i);
            }
            assertThatThrownBy(() -> client.members(null))
                    .isInstanceOf(TApplicationException.class)
                    .hasMessage("no method members");
            assertThat(client.owners("large 300000", null)).containsExactly("x".repeat(300_000));
        }
    }

    private TTransport stock(WireForm form) throws Exception {
        TSocket socket =
                new TSocket(server.address().getHostString(), server.address().getPort());
        return form.framed() ? new TFramedTransport(socket) : socket;
    }

    @Test
    void failureOfAHandlerIsAnInternalErrorWithoutDetails() {
        try (RpcClient client = client(WireForm.FRAMED_BINARY)) {
            assertThatThrownBy(() -> owners(client, "fail", DEADLINE).join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(RegistryFault.class)
                    .hasMessageContaining("owners failed")
                    .hasMessageNotContaining("secret");
            assertThat(owners(client, "after", DEADLINE).join()).isEqualTo("after");
        }
    }

    @Test
    void callWithoutAnAnswerEndsAtItsDeadline() {
        try (RpcClient client = client(WireForm.FRAMED_BINARY)) {
            assertThatThrownBy(
                            () -> owners(client, "hold", Duration.ofMillis(50)).join())
                    .cause()
                    .isInstanceOf(OutcomeUnknown.class);
            assertThat(client.callsPending()).isZero();
        }
    }
}
