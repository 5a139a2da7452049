// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.thrift.protocol.TMessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What strangers and forgers send must cost neither memory nor the calls of others. */
@ExtendWith(NoLeaks.class)
class HostileBytesTest {

    private static final int FORGED_VALUES = 3;
    /**
     * Far above what the test's own sockets, the allocator's arenas and garbage come to (up to 30 MB were seen), and far
     * below what the messages claim: 2 GB and more.
     */
    private static final long GROWTH_BYTES_MAX = 128L << 20;

    private static long memoryBytes() {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return heap
                + ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                        .metric()
                        .usedDirectMemory();
    }

    /** The message with a number in the place of what is there: the largest, a negative one, or one more. */
    private static byte[] forged(WireForm form, byte[] body, int at, int value) {
        if (form.compact()) {
            byte[] number = value == 0
                    ? new byte[] {-1, -1, -1, -1, 7}
                    : value == 1 ? new byte[] {-1, -1, -1, -1, 15} : new byte[] {(byte) (body[at] + 1)};
            return RawClient.concat(Arrays.copyOf(body, at), number, Arrays.copyOfRange(body, at + 1, body.length));
        }
        ByteBuffer bytes = ByteBuffer.wrap(body.clone());
        int number = bytes.getInt(at);
        bytes.putInt(at, value == 0 ? Integer.MAX_VALUE : value == 1 ? -1 : number + 1);
        return bytes.array();
    }

    @ParameterizedTest
    @EnumSource
    void forgedSizesAreRefusedWithoutMemory(WireForm form) throws Exception {
        WireForm unframed = WireForm.of(false, form.compact());
        byte[] body = RawClient.message(
                unframed,
                TMessageType.CALL,
                "tagDiscover",
                3,
                new Discovery.tagDiscover_args(new TagDiscoveryQuery(List.of("first tag", "second tag", "a", "b"))
                        .setContext(Contexts.full())));
        int argumentsAt = form.compact() ? 4 + "tagDiscover".length() : 12 + "tagDiscover".length();
        try (ServerCase node = new ServerCase(RpcLimits.defaults());
                RawClient good = node.raw()) {
            good.send(RawClient.owners(form, 1, "first")); // so that the time-out of first frames is no matter
            assertThat(good.receive(form).owner()).isEqualTo("first");
            long before = memoryBytes();
            RawClient raw = node.raw();
            for (int round = 0; round < 6; round++) {
                for (int at = argumentsAt; at < body.length - 4; at++) {
                    for (int value = 0; value < FORGED_VALUES; value++) {
                        byte[] mutant = forged(form, body, at, value);
                        if (form.framed()) {
                            raw.send(RawClient.framed(mutant));
                            raw = answeredOrClosed(node, raw);
                        } else {
                            raw = new RawClient(node.server.address());
                            raw.send(mutant);
                            raw.close();
                        }
                    }
                }
            }
            raw.close();
            await().until(() -> node.server.stats().connectionsOpen() <= 1);
            assertThat(memoryBytes() - before).isLessThan(GROWTH_BYTES_MAX);
            good.send(RawClient.owners(form, 2, "good"));
            assertThat(good.receive(form).owner()).isEqualTo("good");
        }
    }

    private static RawClient answeredOrClosed(ServerCase node, RawClient raw) throws IOException {
        try {
            raw.skipFrame();
            return raw;
        } catch (EOFException | SocketException e) {
            raw.close();
            return node.raw();
        }
    }

    /** What a thousand strangers begin with. */
    private static List<byte[]> beginnings() throws Exception {
        byte[] random = new byte[40];
        new SplittableRandom(3).nextBytes(random);
        byte[] claimed = RawClient.owners(WireForm.FRAMED_BINARY, 1, "x");
        ByteBuffer.wrap(claimed).putInt(0, RpcLimits.defaults().frameBytesMax());
        return List.of(
                "hello, is anybody there?\r\n".getBytes(StandardCharsets.US_ASCII),
                "GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3},
                random,
                new byte[] {0x7F, -1, -1, -1},
                new byte[] {-1, -1, -1, -1},
                new byte[4],
                claimed);
    }

    @Test
    void thousandStrangersCostLittleMemoryAndNoCallOfOthers() throws Exception {
        RpcLimits limits = RpcLimits.defaults()
                .withFirstFrameTimeout(Duration.ofSeconds(5))
                .withStalledFrameTimeout(Duration.ofSeconds(5));
        List<byte[]> beginnings = beginnings();
        try (ServerCase node = new ServerCase(limits);
                RpcClient good = node.client(RpcClientConfig.defaults())) {
            long before = memoryBytes();
            List<RawClient> strangers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                RawClient stranger = node.raw();
                strangers.add(stranger);
                try {
                    stranger.send(beginnings.get(i % beginnings.size()));
                } catch (SocketException e) {
                    // Closed before all of it was sent: that is what is asked for.
                    assertThat(stranger.closedByServer()).isTrue();
                }
                if (i % 10 == 0) {
                    String tag = "call " + i;
                    assertThat(good.call(
                                            "owners",
                                            new Discovery.owners_args(tag, null),
                                            Discovery.owners_result::new,
                                            Duration.ofSeconds(20))
                                    .toCompletableFuture()
                                    .join()
                                    .getSuccess())
                            .containsExactly(tag);
                }
            }
            assertThat(memoryBytes() - before).isLessThan(GROWTH_BYTES_MAX);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> node.server.stats().connectionsOpen() == 1);
            assertThat(node.closes(CloseReason.NOT_THRIFT)).isEqualTo(875);
            assertThat(node.closes(CloseReason.FIRST_FRAME_TIMEOUT)).isEqualTo(125);
            assertThat(good.connectionsOpen()).isEqualTo(1);
            for (RawClient stranger : strangers) {
                stranger.close();
            }
        }
    }
}
