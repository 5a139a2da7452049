// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unreachable;
import io.tagbahn.thrift.Discovery;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class RpcClientTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final RpcClientConfig CONFIG = RpcClientConfig.defaults();
    private static final RpcClientConfig FAIL = CONFIG.withWhileDisconnected(RpcClientConfig.WhileDisconnected.FAIL);

    private final RpcLoops loops = RpcLoops.start("rpc-test", 2, System::nanoTime);

    @AfterEach
    void stop() {
        loops.close();
    }

    private RpcClient client(InetSocketAddress address, RpcClientConfig config) {
        return RpcClient.create(loops, address, config, new SplittableRandom(1));
    }

    private static CompletableFuture<String> owners(RpcClient client, String tag, Duration deadline) {
        return client.call("owners", new Discovery.owners_args(tag, null), Discovery.owners_result::new, deadline)
                .thenApply(result -> result.getSuccess().get(0))
                .toCompletableFuture();
    }

    private RpcServer server(int port) {
        return RpcServer.start(
                loops,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new TestService().service(),
                RpcLimits.defaults());
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Accepts a connection and waits until a whole frame has come. */
    private static Socket acceptCall(ServerSocket listener) throws IOException {
        Socket socket = listener.accept();
        readCall(socket);
        return socket;
    }

    /** An answer that is sent before its call has come would be one that nobody waits for. */
    private static void readCall(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.readFully(new byte[in.readInt()]);
    }

    private static InetSocketAddress addressOf(ServerSocket socket) {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket socket = listener()) {
            return addressOf(socket);
        }
    }

    @Test
    void callWithoutAServerIsUnreachableAtOnceWhereItShallFail() throws Exception {
        try (RpcClient client = client(closedPort(), FAIL)) {
            assertThatThrownBy(() -> owners(client, "x", LONG).join()).cause().isInstanceOf(Unreachable.class);
            assertThat(client.callsPending()).isZero();
        }
    }

    @Test
    void callWithoutAServerWaitsForItUntilItsDeadline() throws Exception {
        InetSocketAddress address = closedPort();
        try (RpcClient client = client(address, CONFIG)) {
            CompletableFuture<String> patient = owners(client, "patient", LONG);
            assertThatThrownBy(() -> owners(client, "x", Duration.ofMillis(100)).join())
                    .cause()
                    .isInstanceOf(Unreachable.class);
            try (RpcServer server = server(address.getPort())) {
                assertThat(server.address()).isEqualTo(address);
                assertThat(patient.join()).isEqualTo("patient");
            }
        }
    }

    @Test
    void clientConnectsAgainToAServerThatCameBack() throws Exception {
        InetSocketAddress address = closedPort();
        try (RpcClient client = client(address, CONFIG)) {
            try (RpcServer server = server(address.getPort())) {
                assertThat(owners(client, "first", LONG).join()).isEqualTo("first");
                assertThat(server.stats().connectionsOpen()).isEqualTo(1);
            }
            await().until(() -> client.connectionsOpen() == 0);
            try (RpcServer server = server(address.getPort())) {
                assertThat(owners(client, "second", LONG).join()).isEqualTo("second");
                assertThat(server.stats().connectionsAccepted()).isEqualTo(1);
            }
        }
    }

    @Test
    void outcomeOfACallIsUnknownWhereTheConnectionIsLostAfterIt() throws Exception {
        try (ServerSocket listener = listener();
                RpcClient client = client(addressOf(listener), CONFIG)) {
            CompletableFuture<String> call = owners(client, "x", LONG);
            acceptCall(listener).close();
            assertThatThrownBy(call::join).cause().isInstanceOf(OutcomeUnknown.class);
        }
    }

    @Test
    void callsAboveTheLimitAreRefusedWithASignal() throws Exception {
        try (ServerSocket listener = listener();
                RpcClient client = client(addressOf(listener), CONFIG.withCallsPendingMax(2))) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            calls.add(owners(client, "1", LONG));
            calls.add(owners(client, "2", LONG));
            assertThatThrownBy(() -> owners(client, "3", LONG).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            Overloaded.class, e -> assertThat(e.signal()).isEqualTo(Signal.TRY_ELSEWHERE));
            acceptCall(listener).close();
            calls.forEach(call -> assertThatThrownBy(call::join).cause().isInstanceOf(OutcomeUnknown.class));
            assertThat(client.callsPending()).isZero();
        }
    }

    @Test
    void answerThatIsNoThriftEndsTheCallAndTheConnection() throws Exception {
        try (ServerSocket listener = listener();
                RpcClient client = client(addressOf(listener), CONFIG)) {
            CompletableFuture<String> call = owners(client, "x", LONG);
            try (Socket socket = acceptCall(listener)) {
                socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThatThrownBy(call::join).cause().isInstanceOf(OutcomeUnknown.class);
            }
        }
    }

    @Test
    void answerThatCannotBeReadIsAFaultAndTheConnectionGoesOn() throws Exception {
        WireForm form = WireForm.FRAMED_BINARY;
        try (ServerSocket listener = listener();
                RpcClient client = client(addressOf(listener), CONFIG)) {
            CompletableFuture<String> call = owners(client, "x", LONG);
            try (Socket socket = acceptCall(listener)) {
                byte[] reply = RawClient.message(form, (byte) 2, "owners", 1, TestService.owners("abc"));
                reply[reply.length - 4] = (byte) 0xFF;
                socket.getOutputStream().write(reply);
                assertThatThrownBy(call::join)
                        .cause()
                        .isInstanceOf(RegistryFault.class)
                        .hasMessageContaining("UTF-8");
                CompletableFuture<String> next = owners(client, "x", LONG);
                readCall(socket);
                socket.getOutputStream().write(RawClient.message(form, (byte) 2, "owners", 2, TestService.owners("b")));
                assertThat(next.join()).isEqualTo("b");
            }
        }
    }

    @Test
    void answerOfAnotherMethodIsAFault() throws Exception {
        try (ServerSocket listener = listener();
                RpcClient client = client(addressOf(listener), CONFIG)) {
            CompletableFuture<String> call = owners(client, "x", LONG);
            try (Socket socket = acceptCall(listener)) {
                socket.getOutputStream()
                        .write(RawClient.message(
                                WireForm.FRAMED_BINARY, (byte) 2, "other", 1, TestService.owners("abc")));
                assertThatThrownBy(call::join).cause().isInstanceOf(RegistryFault.class);
            }
        }
    }

    @Test
    void lateAnswerIsDropped() throws Exception {
        try (ServerCase node = new ServerCase(RpcLimits.defaults());
                RpcClient client = node.client(CONFIG)) {
            assertThatThrownBy(
                            () -> owners(client, "hold", Duration.ofMillis(50)).join())
                    .cause()
                    .isInstanceOf(OutcomeUnknown.class);
            await().until(() -> !node.service.held.isEmpty());
            node.service.held.remove().answer();
            await().until(() -> client.lateReplies() == 1);
            assertThat(owners(client, "next", LONG).join()).isEqualTo("next");
        }
    }

    @Test
    void cancelledCallLeavesTheOthersAlone() throws Exception {
        try (ServerCase node = new ServerCase(RpcLimits.defaults());
                RpcClient client = node.client(CONFIG)) {
            CompletableFuture<?> call = client.call(
                            "owners", new Discovery.owners_args("hold", null), Discovery.owners_result::new, LONG)
                    .toCompletableFuture();
            await().until(() -> !node.service.held.isEmpty());
            assertThat(call.cancel(true)).isTrue();
            assertThat(owners(client, "other", LONG).join()).isEqualTo("other");
            node.service.held.remove().answer();
            await().until(() -> client.callsPending() == 0);
        }
    }

    @Test
    void closingEndsCallsThatArePending() throws Exception {
        try (ServerCase node = new ServerCase(RpcLimits.defaults())) {
            RpcClient client = node.client(CONFIG);
            CompletableFuture<String> sent = owners(client, "hold", LONG);
            await().until(() -> !node.service.held.isEmpty());
            client.close();
            client.close();
            assertThatThrownBy(sent::join).cause().isInstanceOf(OutcomeUnknown.class);
            assertThatThrownBy(() -> owners(client, "x", LONG).join()).cause().isInstanceOf(Unreachable.class);
            node.service.held.remove().answer();
        }
        RpcClient waiting = client(closedPort(), CONFIG);
        CompletableFuture<String> unsent = owners(waiting, "x", LONG);
        waiting.close();
        assertThatThrownBy(unsent::join).cause().isInstanceOf(Unreachable.class);
    }

    @Test
    void callThatIsTooLongIsNotSent() throws Exception {
        try (ServerCase node = new ServerCase(RpcLimits.defaults());
                RpcClient client = node.client(CONFIG.withFrameBytesMax(1_000))) {
            assertThatThrownBy(() -> owners(client, "x".repeat(1_000), LONG).join())
                    .cause()
                    .isInstanceOf(RegistryFault.class);
            assertThatThrownBy(() -> owners(client, "large 2000", LONG).join())
                    .cause()
                    .isInstanceOf(OutcomeUnknown.class);
            assertThat(owners(client, "x", LONG).join()).isEqualTo("x");
        }
    }

    @Test
    void callsWithoutTimeLeftAreNotSent() throws Exception {
        try (ServerCase node = new ServerCase(RpcLimits.defaults());
                RpcClient client = node.client(CONFIG)) {
            assertThatThrownBy(() -> owners(client, "x", Duration.ZERO).join())
                    .cause()
                    .isInstanceOf(Unreachable.class);
            assertThatThrownBy(() -> owners(client, "x", Duration.ofDays(2)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(node.server.stats().calls()).isZero();
        }
    }

    @Test
    void callsShareSeveralConnections() throws Exception {
        try (ServerCase node = new ServerCase(RpcLimits.defaults());
                RpcClient client = node.client(CONFIG.withConnections(3))) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                calls.add(owners(client, "t" + i, LONG));
            }
            for (int i = 0; i < 300; i++) {
                assertThat(calls.get(i).join()).isEqualTo("t" + i);
            }
            assertThat(node.server.stats().connectionsAccepted()).isEqualTo(3);
        }
    }
}
