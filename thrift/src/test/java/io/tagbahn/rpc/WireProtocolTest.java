// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireProtocolTest {

    /** Version, name and sequence id of the messages here, in the longer protocol. */
    private static final int HEAD_BYTES_MAX = 18;

    private static final MessageLimits LIMITS = RpcLimits.defaults().message();

    private static byte[] stock(WireForm form, TBase<?, ?> struct) throws TException {
        return RawClient.message(form, TMessageType.CALL, "method", -5, struct);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFRAMED_BINARY", "UNFRAMED_COMPACT"})
    void writesTheBytesThatLibthriftWrites(WireForm form) throws Exception {
        WireProtocol protocol = WireProtocol.of(form.compact(), LIMITS);
        for (TBase<?, ?> struct : Structs.all()) {
            ByteBuf out = Unpooled.buffer();
            protocol.writeTo(out);
            protocol.writeMessageBegin(new TMessage("method", TMessageType.CALL, -5));
            struct.write(protocol);
            assertThat(ByteBufUtil.getBytes(out)).isEqualTo(stock(form, struct));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFRAMED_BINARY", "UNFRAMED_COMPACT"})
    void readsWhatLibthriftWrites(WireForm form) throws Exception {
        WireProtocol protocol = WireProtocol.of(form.compact(), LIMITS);
        for (TBase<?, ?> struct : Structs.all()) {
            protocol.readFrom(Unpooled.wrappedBuffer(stock(form, struct)));
            assertThat(protocol.readMessageBegin()).isEqualTo(new TMessage("method", TMessageType.CALL, -5));
            TBase<?, ?> read = Structs.empty(struct);
            read.read(protocol);
            assertThat(read).isEqualTo(struct);
            assertThat(protocol.buffer.isReadable()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFRAMED_BINARY", "UNFRAMED_COMPACT"})
    void messageThatEndsEarlyIsRefusedWhereverItEnds(WireForm form) throws Exception {
        WireProtocol protocol = WireProtocol.of(form.compact(), LIMITS);
        for (TBase<?, ?> struct : Structs.all()) {
            byte[] whole = stock(form, struct);
            for (int length = 0; length < Math.min(whole.length, 2_000); length++) {
                ByteBuf part = Unpooled.wrappedBuffer(whole, 0, length);
                assertThatThrownBy(() -> {
                            protocol.readFrom(part);
                            protocol.readMessageBegin();
                            Structs.empty(struct).read(protocol);
                        })
                        .isInstanceOf(TException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFRAMED_BINARY", "UNFRAMED_COMPACT"})
    void scannerFindsTheEndInWhateverPiecesTheMessageComes(WireForm form) throws Exception {
        long seed = 17;
        SplittableRandom random = new SplittableRandom(seed);
        MessageScanner scanner = new MessageScanner(form.compact(), LIMITS);
        for (TBase<?, ?> struct : Structs.all()) {
            byte[] whole = stock(form, struct);
            byte[] more = Arrays.copyOf(whole, whole.length + 50);
            for (int round = 0; round < 30; round++) {
                int largest = round == 0 ? 1 : 1 + random.nextInt(whole.length);
                scanner.reset();
                ByteBuf bytes = Unpooled.buffer();
                int found = -1;
                while (found < 0) {
                    assertThat(bytes.readableBytes()).as("seed %d", seed).isLessThan(whole.length);
                    int length = Math.min(1 + random.nextInt(largest), more.length - bytes.writerIndex());
                    bytes.writeBytes(more, bytes.writerIndex(), length);
                    found = scanner.scan(bytes);
                }
                assertThat(found).as("seed %d", seed).isEqualTo(whole.length);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNFRAMED_BINARY", "UNFRAMED_COMPACT"})
    void scannerAndProtocolAgreeOnWhereMutatedMessagesEnd(WireForm form) throws Exception {
        long seed = 23;
        SplittableRandom random = new SplittableRandom(seed);
        WireProtocol protocol = WireProtocol.of(form.compact(), LIMITS);
        int readable = 0;
        for (TBase<?, ?> struct : Structs.all()) {
            byte[] whole = stock(form, struct);
            for (int round = 0; round < 2_000; round++) {
                byte[] mutant = whole.clone();
                int at = HEAD_BYTES_MAX + random.nextInt(Math.min(whole.length, 400) - HEAD_BYTES_MAX);
                mutant[at] = (byte) random.nextInt(256);
                ByteBuf bytes = Unpooled.wrappedBuffer(mutant);
                int length;
                try {
                    length = new MessageScanner(form.compact(), LIMITS).scan(bytes);
                } catch (BrokenStream e) {
                    continue;
                }
                if (length < 0) {
                    continue;
                }
                protocol.readFrom(bytes);
                try {
                    protocol.readMessageBegin();
                    TProtocolUtil.skip(protocol, TType.STRUCT, LIMITS.depthMax() + 1);
                } catch (TException e) {
                    throw new AssertionError("seed " + seed + ": scanned but not read: " + e.getMessage(), e);
                }
                assertThat(bytes.readerIndex()).as("seed %d", seed).isEqualTo(length);
                readable++;
            }
        }
        assertThat(readable).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void textIsUtf8InBothDirections(boolean compact) throws Exception {
        WireProtocol protocol = WireProtocol.of(compact, LIMITS);
        for (String text : new String[] {
            "", "a", "\u007F\u0080\u07FF\u0800\uFFFF", "\uD800\uDC00\uDBFF\uDFFF", "\uFFFD", "é".repeat(10_000)
        }) {
            ByteBuf out = Unpooled.buffer();
            protocol.writeTo(out);
            protocol.writeString(text);
            protocol.readFrom(out);
            assertThat(protocol.readString()).isEqualTo(text);
        }
        for (String text : new String[] {
            "\uD800", "\uDC00", "a\uD800b", "\uDC00\uD800", "\uD800\uD800\uDC00", "x".repeat(9_000) + "\uD800"
        }) {
            protocol.writeTo(Unpooled.buffer());
            assertThatThrownBy(() -> protocol.writeString(text)).isInstanceOf(TProtocolException.class);
        }
        int[][] malformed = {
            {0x80},
            {0xC3},
            {0xC0, 0x80},
            {0xE0, 0x80, 0x80},
            {0xED, 0xA0, 0x80},
            {0xF4, 0x90, 0x80, 0x80},
            {0xFF},
            {0xF0, 0x9F, 0x98},
            {0xEF, 0xBF, 0xBD, 0xFF}
        };
        for (int[] bytes : malformed) {
            ByteBuf in = Unpooled.buffer();
            if (compact) {
                in.writeByte(bytes.length);
            } else {
                in.writeInt(bytes.length);
            }
            for (int b : bytes) {
                in.writeByte(b);
            }
            protocol.readFrom(in);
            assertThatThrownBy(protocol::readString)
                    .isInstanceOf(TProtocolException.class)
                    .hasMessageContaining("UTF-8");
        }
    }

    @Test
    void methodNamesAreFoundByTheirBytes() throws Exception {
        MethodNames names = new MethodNames();
        ByteBuf bytes = Unpooled.copiedBuffer("ownersowner\u00e9", StandardCharsets.ISO_8859_1);
        assertThat(names.find(bytes, 6)).isNull();
        String name = names.add("owners");
        assertThat(names.find(bytes, 6)).isSameAs(name);
        assertThat(bytes.readerIndex()).isEqualTo(6);
        names.add("owner\u00e9");
        assertThat(names.find(bytes, 6)).isNull();
    }
}
