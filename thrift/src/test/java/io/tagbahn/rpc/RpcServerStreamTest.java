// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tagbahn.thrift.Discovery;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TMessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(NoLeaks.class)
class RpcServerStreamTest {

    private static final RpcLimits LIMITS = RpcLimits.defaults();

    @ParameterizedTest
    @EnumSource
    void callsInPiecesOfOneByteAreAnswered(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            byte[] calls = RawClient.concat(
                    RawClient.owners(form, 7, "first é"),
                    RawClient.message(
                            form, TMessageType.CALL, "owners", 8, new Discovery.owners_args("second", Contexts.full())),
                    RawClient.owners(form, 9, "third"));
            for (int i = 0; i < calls.length; i++) {
                raw.send(calls, i, 1);
            }
            assertThat(raw.receive(form))
                    .returns("first é", RawClient.Reply::owner)
                    .returns(7, RawClient.Reply::sequenceId);
            assertThat(raw.receive(form))
                    .returns("second", RawClient.Reply::owner)
                    .returns(8, RawClient.Reply::sequenceId);
            assertThat(raw.receive(form))
                    .returns("third", RawClient.Reply::owner)
                    .returns(9, RawClient.Reply::sequenceId);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsInRandomPiecesAreAnswered(WireForm form) throws Exception {
        long seed = 20_261_129;
        SplittableRandom random = new SplittableRandom(seed);
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            byte[] calls = new byte[0];
            for (int i = 0; i < 50; i++) {
                String tag = "t".repeat(random.nextInt(3_000)) + i;
                calls = RawClient.concat(calls, RawClient.owners(form, i, tag));
            }
            int at = 0;
            while (at < calls.length) {
                int length = Math.min(calls.length - at, 1 + random.nextInt(4_000));
                raw.send(calls, at, length);
                at += length;
            }
            for (int i = 0; i < 50; i++) {
                assertThat(raw.receive(form).owner()).as("seed %d", seed).endsWith("t" + i);
            }
        }
    }

    @Test
    void distinctSequenceIdsAreAnsweredAsTheyComplete() throws Exception {
        WireForm form = WireForm.FRAMED_BINARY;
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            raw.send(RawClient.concat(RawClient.owners(form, 1, "hold"), RawClient.owners(form, 2, "b")));
            assertThat(raw.receive(form).sequenceId()).isEqualTo(2);
            node.service.held.remove().answer();
            assertThat(raw.receive(form).sequenceId()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void repeatedSequenceIdsAreAnsweredInOrder(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            raw.send(RawClient.concat(
                    RawClient.owners(form, 0, "hold 1"),
                    RawClient.owners(form, 0, "2"),
                    RawClient.owners(form, 0, "hold 3"),
                    RawClient.owners(form, 0, "hold 4"),
                    RawClient.message(form, TMessageType.CALL, "nothing", 0, new Discovery.owners_args("5", null)),
                    RawClient.owners(form, 6, "other")));
            assertThat(raw.receive(form).owner()).isEqualTo("other");
            TestService.Held first = node.service.held.remove();
            TestService.Held third = node.service.held.remove();
            TestService.Held fourth = node.service.held.remove();
            fourth.answer();
            third.answer();
            first.answer();
            assertThat(raw.receive(form).owner()).isEqualTo("hold 1");
            assertThat(raw.receive(form).owner()).isEqualTo("2");
            assertThat(raw.receive(form).owner()).isEqualTo("hold 3");
            assertThat(raw.receive(form).owner()).isEqualTo("hold 4");
            assertThat(raw.receive(form).errorType()).isEqualTo(TApplicationException.UNKNOWN_METHOD);
        }
    }

    @Test
    void onewayCallsAreNotAnswered() throws Exception {
        WireForm form = WireForm.FRAMED_COMPACT;
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            Discovery.owners_args arguments = new Discovery.owners_args("x", null);
            raw.send(RawClient.message(form, TMessageType.ONEWAY, "owners", 1, arguments));
            raw.send(RawClient.message(form, TMessageType.ONEWAY, "nothing", 2, arguments));
            raw.send(RawClient.owners(form, 3, "y"));
            assertThat(raw.receive(form).sequenceId()).isEqualTo(3);
        }
    }

    static Stream<Arguments> strangers() {
        byte[] random = new byte[64];
        new SplittableRandom(5).nextBytes(random);
        random[0] = 0x7F;
        return Stream.of(
                Arguments.of("HTTP", ascii("GET / HTTP/1.1\r\nHost: x\r\n\r\n")),
                Arguments.of("HTTP/2", ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")),
                Arguments.of("TLS hello", new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3}),
                Arguments.of("TChannel init", new byte[] {0, 0x3A, 1, 0, 0, 0, 0, 1, 0, 2}),
                Arguments.of("text", ascii("hello\r\n")),
                Arguments.of("random", random),
                Arguments.of("zero length", new byte[] {0, 0, 0, 0}),
                Arguments.of("negative length", new byte[] {-1, -1, -1, -1}),
                Arguments.of("huge length", new byte[] {0x7F, -1, -1, -1}),
                Arguments.of("one above the limit", RawClient.framed(new byte[LIMITS.frameBytesMax() + 1])),
                Arguments.of("unversioned binary", ascii("\0\0\0\6owners")),
                Arguments.of("another binary version", new byte[] {(byte) 0x80, 2}),
                Arguments.of("another compact version", new byte[] {(byte) 0x82, 0x22}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strangers")
    void whatIsNoThriftIsClosed(String what, byte[] bytes) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient good = node.raw();
                RawClient raw = node.raw()) {
            raw.send(Arrays.copyOf(bytes, Math.min(bytes.length, 64)));
            assertThat(raw.closedByServer()).as(what).isTrue();
            await().until(() -> node.closes(CloseReason.NOT_THRIFT) == 1);
            good.send(RawClient.owners(WireForm.UNFRAMED_BINARY, 1, "good"));
            assertThat(good.receive(WireForm.UNFRAMED_BINARY).owner()).isEqualTo("good");
        }
    }

    @ParameterizedTest
    @EnumSource
    void messagesThatAreNoCallsCloseTheConnection(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS)) {
            for (byte type : new byte[] {TMessageType.REPLY, TMessageType.EXCEPTION, 7, 0}) {
                try (RawClient raw = node.raw()) {
                    raw.send(RawClient.message(form, type, "owners", 1, new Discovery.owners_args("x", null)));
                    assertThat(raw.closedByServer()).isTrue();
                }
            }
            await().until(() -> node.closes(CloseReason.PROTOCOL_ERROR) == 4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FRAMED_BINARY", "FRAMED_COMPACT"})
    void bytesBehindTheArgumentsAreAProtocolErrorInAFrame(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            byte[] call = RawClient.owners(form, 1, "x");
            byte[] longer = Arrays.copyOfRange(call, 4, call.length + 1);
            raw.send(RawClient.framed(longer));
            assertThat(raw.receive(form).errorType()).isEqualTo(TApplicationException.PROTOCOL_ERROR);
            raw.send(call);
            assertThat(raw.receive(form).owner()).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void textThatIsNotUtf8IsAProtocolErrorAndTheConnectionGoesOn(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            byte[] call = RawClient.owners(form, 1, "abc");
            for (int i = 0; i < call.length; i++) {
                if (call[i] == 'b') {
                    call[i] = (byte) 0xC3;
                }
            }
            raw.send(call);
            assertThat(raw.receive(form).errorType()).isEqualTo(TApplicationException.PROTOCOL_ERROR);
            raw.send(RawClient.owners(form, 2, "a substitute \uFFFD sent as such"));
            assertThat(raw.receive(form).owner()).isEqualTo("a substitute \uFFFD sent as such");
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingRequiredArgumentsAreAProtocolError(WireForm form) throws Exception {
        try (ServerCase node = new ServerCase(LIMITS);
                RawClient raw = node.raw()) {
            raw.send(RawClient.message(form, TMessageType.CALL, "owners", 1, new Discovery.members_args()));
            assertThat(raw.receive(form).errorType()).isEqualTo(TApplicationException.PROTOCOL_ERROR);
            raw.send(RawClient.owners(form, 2, "x"));
            assertThat(raw.receive(form).owner()).isEqualTo("x");
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
