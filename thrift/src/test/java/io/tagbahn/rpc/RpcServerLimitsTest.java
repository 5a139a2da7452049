// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(NoLeaks.class)
class RpcServerLimitsTest {

    private static final RpcLimits LIMITS = RpcLimits.defaults();
    /** Short for a test, and longer than a busy machine keeps a thread waiting between two lines of one. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static byte[] tagDiscover(WireForm form, int tags) throws Exception {
        TagDiscoveryQuery query = new TagDiscoveryQuery(Collections.nCopies(tags, "x"));
        return RawClient.message(form, TMessageType.CALL, "tagDiscover", 1, new Discovery.tagDiscover_args(query));
    }

    /** A call whose unknown field 9 holds lists inside each other. */
    private static byte[] nested(WireForm form, int lists) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(1024);
        TProtocol protocol = RawClient.protocol(form, buffer);
        protocol.writeMessageBegin(new TMessage("owners", TMessageType.CALL, 1));
        protocol.writeStructBegin(new TStruct(""));
        protocol.writeFieldBegin(new TField("", TType.STRING, (short) 1));
        protocol.writeString("x");
        protocol.writeFieldBegin(new TField("", TType.LIST, (short) 9));
        for (int i = 0; i < lists; i++) {
            boolean last = i == lists - 1;
            protocol.writeListBegin(new TList(last ? TType.BYTE : TType.LIST, last ? 0 : 1));
        }
        protocol.writeFieldStop();
        protocol.writeStructEnd();
        byte[] body = Arrays.copyOf(buffer.getArray(), buffer.length());
        return form.framed() ? RawClient.framed(body) : body;
    }

    private static void expectRefused(RawClient raw, WireForm form, byte[] call) throws Exception {
        raw.send(call);
        assertThat(raw.receive(form).errorType()).isEqualTo(TApplicationException.PROTOCOL_ERROR);
        if (form.framed()) {
            raw.send(RawClient.owners(form, 2, "goes on"));
            assertThat(raw.receive(form).owner()).isEqualTo("goes on");
        } else {
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nestingIsAllowedUpToTheLimit(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withDepthMax(8));
                RawClient raw = node.raw()) {
            raw.send(nested(form, 7));
            assertThat(raw.receive(form).owner()).isEqualTo("x");
            expectRefused(raw, form, nested(form, 8));
        }
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            if (form.framed()) {
                expectRefused(raw, form, nested(form, 100_000));
            } else {
                // Closed long before its end: the rest may meet a connection that is gone, and the answer be lost.
                assertThat(raw.closesOn(nested(form, 100_000))).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void stringsAreAllowedUpToTheLimit(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withStringBytesMax(100));
                RawClient raw = node.raw()) {
            raw.send(RawClient.owners(form, 1, "x".repeat(100)));
            assertThat(raw.receive(form).owner()).hasSize(100);
            expectRefused(raw, form, RawClient.owners(form, 1, "x".repeat(101)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void entriesOfContainersAreAllowedUpToTheLimit(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withContainerEntriesMax(100));
                RpcClient client = node.client(RpcClientConfig.defaults());
                RawClient raw = node.raw()) {
            TagDiscoveryQuery query = new TagDiscoveryQuery(Collections.nCopies(100, "x"));
            assertThat(client.call(
                                    "tagDiscover",
                                    new Discovery.tagDiscover_args(query),
                                    Discovery.tagDiscover_result::new,
                                    Duration.ofSeconds(20))
                            .toCompletableFuture()
                            .join()
                            .getSuccess()
                            .getPeers())
                    .containsOnlyKeys("x");
            expectRefused(raw, form, tagDiscover(form, 101));
        }
    }

    @ParameterizedTest
    @EnumSource
    void messagesAreAllowedUpToTheFrameLimit(WireForm form) throws Exception {
        int overhead = RawClient.owners(form, 1, "x".repeat(900)).length - 900 - (form.framed() ? 4 : 0);
        try (ServerCase node = new ServerCase(LIMITS.withFrameBytesMax(1000 + overhead));
                RawClient raw = node.raw()) {
            raw.send(RawClient.owners(form, 1, "x".repeat(900)));
            assertThat(raw.receive(form).owner()).hasSize(900);
            raw.send(RawClient.owners(form, 1, "x".repeat(1001)));
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersAboveTheFrameLimitBecomeAnError(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withFrameBytesMax(100_000));
                RawClient raw = node.raw()) {
            raw.send(RawClient.owners(form, 1, "large 100000"));
            RawClient.Reply reply = raw.receive(form);
            assertThat(reply.errorType()).isEqualTo(TApplicationException.INTERNAL_ERROR);
            assertThat(((TApplicationException) reply.body()).getMessage()).contains("more than 100000 bytes");
            raw.send(RawClient.owners(form, 2, "large 99000"));
            assertThat(raw.receive(form).owner()).hasSize(99_000);
            assertThat(node.server.stats().repliesTooLong()).isEqualTo(1);
        }
    }

    @Test
    void answersWithALoneSurrogateBecomeAnError() throws Exception {
        RpcService service = RpcService.builder()
                .method(
                        "owners",
                        Discovery.owners_args::new,
                        (arguments, call) -> CompletableFuture.completedFuture(TestService.owners(
                                "short".equals(arguments.getTag()) ? "\uD800" : "x".repeat(5_000) + "\uDC00x")))
                .build();
        try (RpcLoops loops = RpcLoops.start("rpc-test", 1, System::nanoTime);
                RpcServer server = RpcServer.start(
                        loops, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), service, LIMITS);
                RawClient raw = new RawClient(server.address())) {
            for (String tag : List.of("short", "long")) {
                raw.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, tag));
                assertThat(raw.receive(WireForm.FRAMED_BINARY).errorType())
                        .isEqualTo(TApplicationException.INTERNAL_ERROR);
            }
        }
    }

    @Test
    void connectionsAboveTheLimitAreClosedAndTheOthersServed() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withConnectionsMax(2));
                RawClient first = node.raw();
                RawClient second = node.raw()) {
            await().until(() -> node.server.stats().connectionsOpen() == 2);
            for (int i = 0; i < 20; i++) {
                try (RawClient more = node.raw()) {
                    assertThat(more.closedByServer()).isTrue();
                }
            }
            assertThat(node.closes(CloseReason.CONNECTION_LIMIT)).isEqualTo(20);
            first.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "x"));
            assertThat(first.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("x");
            second.socket().close();
            await().until(() -> node.server.stats().connectionsOpen() == 1);
            try (RawClient third = node.raw()) {
                third.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "y"));
                assertThat(third.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("y");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionWithAllItsCallsInFlightWaitsWithTheNext(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withCallsInFlightPerConnectionMax(3));
                RawClient raw = node.raw()) {
            for (int i = 0; i < 10; i++) {
                raw.send(RawClient.owners(form, i, "hold " + i));
            }
            await().until(() -> node.service.held.size() == 3);
            for (int i = 0; i < 10; i++) {
                assertThat(node.server.stats().callsInFlight()).isLessThanOrEqualTo(3);
                await().until(() -> !node.service.held.isEmpty());
                node.service.held.remove().answer();
                assertThat(raw.receive(form).owner()).isEqualTo("hold " + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionsTakeTurnsWhereAllCallsAreInFlight(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withCallsInFlightMax(2));
                RawClient first = node.raw();
                RawClient second = node.raw();
                RawClient third = node.raw()) {
            first.send(RawClient.concat(RawClient.owners(form, 1, "hold a"), RawClient.owners(form, 2, "hold b")));
            await().until(() -> node.service.held.size() == 2);
            second.send(RawClient.owners(form, 1, "c"));
            third.send(RawClient.owners(form, 1, "d"));
            await().until(() -> node.server.stats().bytesIn() >= 4L * RawClient.owners(form, 1, "d").length);
            assertThat(node.server.stats().calls()).isEqualTo(2);
            node.service.held.remove().answer();
            assertThat(second.receive(form).owner()).isEqualTo("c");
            assertThat(third.receive(form).owner()).isEqualTo("d");
            node.service.held.remove().answer();
            assertThat(first.receive(form).owner()).isEqualTo("hold a");
            assertThat(first.receive(form).owner()).isEqualTo("hold b");
            await().until(() -> node.server.stats().callsInFlight() == 0);
        }
    }

    @Test
    void messagesOnTheirWayAreBoundedInMemory() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withInboundBytesMax(1 << 20));
                RawClient good = node.raw();
                RawClient greedy = node.raw()) {
            byte[] call = RawClient.owners(WireForm.FRAMED_BINARY, 1, "x".repeat(3 << 20));
            assertThatThrownBy(() -> {
                        greedy.send(call, 0, call.length - 1);
                        while (!greedy.closedByServer()) {
                            greedy.send(call, 0, 1);
                        }
                        throw new IOException("closed");
                    })
                    .isInstanceOf(IOException.class);
            await().until(() -> node.closes(CloseReason.INBOUND_LIMIT) == 1);
            good.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "good"));
            assertThat(good.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("good");
        }
    }

    @Test
    void connectionThatSaysNothingIsClosedAfterTheFirstFrameTimeout() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withFirstFrameTimeout(SHORT));
                RawClient silent = node.raw();
                RawClient half = node.raw();
                RawClient begun = node.raw()) {
            half.send(new byte[] {0, 0});
            byte[] call = RawClient.owners(WireForm.UNFRAMED_BINARY, 1, "x");
            begun.send(call, 0, call.length - 1);
            assertThat(silent.closedByServer()).isTrue();
            assertThat(half.closedByServer()).isTrue();
            assertThat(begun.closedByServer()).isTrue();
            await().until(() -> node.closes(CloseReason.FIRST_FRAME_TIMEOUT) == 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void messageThatComesByteByByteIsClosedAfterTheStalledFrameTimeout(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withStalledFrameTimeout(SHORT));
                RawClient raw = node.raw()) {
            raw.send(RawClient.owners(form, 1, "x"));
            assertThat(raw.receive(form).owner()).isEqualTo("x");
            byte[] call = RawClient.owners(form, 2, "x".repeat(10_000));
            int[] at = {0};
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                try {
                    raw.send(call, at[0]++, 1);
                    return node.closes(CloseReason.STALLED_FRAME) == 1;
                } catch (IOException e) {
                    return true;
                }
            });
            await().until(() -> node.closes(CloseReason.STALLED_FRAME) == 1);
        }
    }

    @Test
    void idleConnectionIsClosedButNotOneWithACallInFlight() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS.withIdleTimeout(SHORT));
                RawClient idle = node.raw();
                RawClient busy = node.raw()) {
            busy.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "hold"));
            idle.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "x"));
            assertThat(idle.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("x");
            assertThat(idle.closedByServer()).isTrue();
            await().until(() -> node.closes(CloseReason.IDLE) == 1);
            node.service.held.remove().answer();
            assertThat(busy.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("hold");
            assertThat(busy.closedByServer()).isTrue();
        }
    }

    @Test
    void peerThatDoesNotReadItsAnswersIsNotReadAndThenClosed() throws Exception {
        try (ServerCase node = new ServerCase(
                        LIMITS.withOutboundBytesMax(1 << 16).withStalledFrameTimeout(Duration.ofMillis(500)));
                RawClient raw = node.raw()) {
            byte[] call = RawClient.owners(WireForm.FRAMED_BINARY, 1, "large 200000");
            for (int i = 0; i < 200; i++) {
                raw.send(call);
            }
            await().until(() -> node.closes(CloseReason.STALLED_READER) == 1);
            assertThat(node.server.stats().calls()).isLessThan(200);
        }
    }

    @Test
    void answersThatCompleteTogetherBecomeBytesAsTheReaderTakesThem() throws Exception {
        int calls = 300;
        String text = "hold" + "x".repeat(100_000);
        int outboundBytesMax = 1 << 20;
        try (ServerCase node = new ServerCase(LIMITS.withOutboundBytesMax(outboundBytesMax));
                RawClient raw = node.raw()) {
            raw.socket().setReceiveBufferSize(1 << 16);
            for (int i = 0; i < calls; i++) {
                raw.send(RawClient.owners(WireForm.FRAMED_BINARY, i % 200, text + i)); // some numbers come twice
            }
            await().until(() -> node.service.held.size() == calls);
            node.service.held.forEach(TestService.Held::answer);
            await().until(() -> node.server.stats().callsInFlight() == 0);
            // What the system's own buffers take is gone already; 30 MB would be encoded without a bound.
            assertThat(node.server.stats().bytesOut()).isLessThan(12L << 20);
            List<Integer> twice = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                RawClient.Reply reply = raw.receive(WireForm.FRAMED_BINARY);
                assertThat(reply.owner()).startsWith(text);
                if (reply.sequenceId() == 0) {
                    twice.add(Integer.parseInt(reply.owner().substring(text.length())));
                }
            }
            assertThat(twice).containsExactly(0, 200);
            raw.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "goes on"));
            assertThat(raw.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("goes on");
        }
    }

    @Test
    void closingSendsWhatWasHeldForASlowReader() throws Exception {
        String text = "hold" + "x".repeat(100_000);
        try (ServerCase node = new ServerCase(LIMITS.withOutboundBytesMax(1 << 16));
                RawClient raw = node.raw()) {
            for (int i = 0; i < 200; i++) {
                raw.send(RawClient.owners(WireForm.FRAMED_BINARY, i, text));
            }
            await().until(() -> node.service.held.size() == 200);
            node.service.held.forEach(TestService.Held::answer);
            Thread closing = new Thread(() -> node.server.close(Duration.ofSeconds(20)), "closing");
            closing.start();
            for (int i = 0; i < 200; i++) {
                assertThat(raw.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo(text);
            }
            assertThat(raw.closedByServer()).isTrue();
            closing.join();
        }
    }

    @Test
    void closingLetsCallsInFlightFinish() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw();
                RawClient idle = node.raw()) {
            raw.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "hold"));
            await().until(() -> !node.service.held.isEmpty());
            Thread closing = new Thread(() -> node.server.close(Duration.ofSeconds(20)), "closing");
            closing.start();
            assertThat(idle.closedByServer()).isTrue();
            node.service.held.remove().answer();
            assertThat(raw.receive(WireForm.FRAMED_BINARY).owner()).isEqualTo("hold");
            assertThat(raw.closedByServer()).isTrue();
            closing.join();
            assertThatThrownBy(node::raw).isInstanceOf(IOException.class);
        }
    }

    @Test
    void closingIsBoundedWhereACallNeverEnds() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            raw.send(RawClient.owners(WireForm.FRAMED_BINARY, 1, "hold"));
            await().until(() -> !node.service.held.isEmpty());
            node.server.close(Duration.ofMillis(50));
            assertThat(raw.closedByServer()).isTrue();
            node.service.held.remove().answer();
            await().until(() -> node.server.stats().callsInFlight() == 0);
        }
    }

    @Test
    void limitsOutsideTheirRangeAreRefusedWithIt() {
        assertThatThrownBy(() -> LIMITS.withFrameBytesMax(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("frameBytesMax 0; 64..268435456 are allowed");
        assertThatThrownBy(() -> LIMITS.withIdleTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("idleTimeout PT0S");
    }

    @Test
    void unknownMethodIsNamedAndItsArgumentsPassedOver() throws Exception {
        try (ServerCase node = new ServerCase(LIMITS)) {
            for (WireForm form : WireForm.values()) {
                try (RawClient raw = node.raw()) {
                    raw.send(RawClient.message(
                            form, TMessageType.CALL, "members", 4, new Discovery.members_args(new CallContext())));
                    RawClient.Reply reply = raw.receive(form);
                    assertThat(reply.errorType()).isEqualTo(TApplicationException.UNKNOWN_METHOD);
                    assertThat(reply.sequenceId()).isEqualTo(4);
                    raw.send(RawClient.owners(form, 5, "x"));
                    assertThat(raw.receive(form).owner()).isEqualTo("x");
                }
            }
        }
    }
}
