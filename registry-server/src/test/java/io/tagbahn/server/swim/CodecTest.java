// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CodecTest {

    private static final NodeRecord NODE = new NodeRecord(
            "node-ä",
            HostPort.parse("10.1.2.3:21301"),
            HostPort.parse("[2001:db8::1]:21300"),
            Long.MAX_VALUE,
            250,
            new Locality(Optional.of("rack-1"), Optional.of("zone-1"), Optional.of("region-1")),
            Map.of("filled", "yes", "empty", ""));
    private static final Claim.Alive ALIVE = new Claim.Alive(NODE, CodecLimits.INCARNATION_MAX);
    private static final List<Message> MESSAGES = List.of(
            new Message.Ping(1L << 47, "b"),
            new Message.PingReq(7, "b", HostPort.parse("host.example.org:1")),
            new Message.Ack(0, "b"),
            new Message.Nack(Long.MAX_VALUE),
            ALIVE,
            new Claim.Suspect("b", 3, "c", Evidence.REFUSED),
            new Claim.Suspect("b", 3, "c", Evidence.SILENT),
            new Claim.Dead("b", 3, "c"),
            new Claim.Left("b", 0));
    private static final List<StreamMessage> STREAM_MESSAGES = List.of(
            new StreamMessage.Request("cluster", ALIVE, true, Long.MAX_VALUE),
            new StreamMessage.Same("cluster", ALIVE),
            new StreamMessage.Whole(
                    "cluster",
                    ALIVE,
                    false,
                    List.of(
                            new StateEntry(NODE, 1, MemberState.ALIVE),
                            new StateEntry(NODE, 2, MemberState.SUSPECT),
                            new StateEntry(NODE, 3, MemberState.DEAD),
                            new StateEntry(NODE, 4, MemberState.LEFT))),
            new StreamMessage.Push("cluster", ALIVE, List.of()),
            new StreamMessage.Taken("cluster", ALIVE, true),
            new StreamMessage.StreamPing("cluster", "a", "b"),
            new StreamMessage.StreamAck("cluster", "b"),
            new StreamMessage.DeathQuestion("cluster", "a"),
            new StreamMessage.DeathAnswer("cluster", OptionalLong.of(7)),
            new StreamMessage.DeathAnswer("cluster", OptionalLong.empty()));

    private static byte[] packet(List<Message> messages) {
        WireWriter out = new WireWriter().raw(PacketCodec.header("cluster", "sender"));
        messages.forEach(message -> out.raw(PacketCodec.encode(message)));
        return out.bytes();
    }

    @Test
    void packetsComeBackAsTheyWere() {
        assertThat(PacketCodec.decode(packet(MESSAGES))).contains(new Packet("cluster", "sender", MESSAGES));
        assertThat(PacketCodec.decode(packet(List.of()))).contains(new Packet("cluster", "sender", List.of()));
    }

    @Test
    void streamMessagesComeBackAsTheyWere() {
        for (StreamMessage message : STREAM_MESSAGES) {
            assertThat(StreamCodec.decode(StreamCodec.encode(message))).contains(message);
        }
    }

    @Test
    void theLargestClaimFitsTheSmallestPacket() {
        String id = "i".repeat(CodecLimits.ID_BYTES_MAX);
        Locality place = new Locality(Optional.of("n".repeat(255)), Optional.of("z".repeat(255)), Optional.empty());
        NodeRecord node = new NodeRecord(
                id, NODE.gossip(), NODE.api(), Long.MAX_VALUE, 10_000, place, Map.of("k", "v".repeat(239)));
        int header = PacketCodec.header("c".repeat(CodecLimits.CLUSTER_BYTES_MAX), id).length;
        int claim = PacketCodec.encode(new Claim.Alive(node, CodecLimits.INCARNATION_MAX)).length;
        assertThat(header + PacketCodec.encode(new Message.Ack(Long.MAX_VALUE, id)).length + claim)
                .isLessThanOrEqualTo(1_350);
    }

    @Test
    void whatANewerMemberSaysBesidesIsReadOver() {
        byte[] ack = new WireWriter()
                .field(1, 5)
                .field(2, "b")
                .field(9, 77)
                .field(100, "later")
                .bytes();
        byte[] bytes = new WireWriter()
                .raw(PacketCodec.header("cluster", "sender"))
                .octet(200)
                .slice(new byte[] {1, 2, 3})
                .octet(3)
                .slice(ack)
                .bytes();
        assertThat(PacketCodec.decode(bytes))
                .contains(new Packet("cluster", "sender", List.of(new Message.Ack(5, "b"))));
    }

    @Test
    void otherVersionsAreDropped() {
        byte[] bytes = packet(MESSAGES);
        bytes[0] = 2;
        assertThat(PacketCodec.decode(bytes)).isEmpty();
        byte[] stream = StreamCodec.encode(STREAM_MESSAGES.get(0));
        stream[0] = 0;
        assertThat(StreamCodec.decode(stream)).isEmpty();
    }

    @Test
    void boundsAreKept() {
        WireWriter many = new WireWriter().raw(PacketCodec.header("cluster", "sender"));
        for (int i = 0; i <= CodecLimits.MESSAGES_MAX; i++) {
            many.raw(PacketCodec.encode(new Message.Nack(1)));
        }
        assertThat(PacketCodec.decode(many.bytes())).as("messages").isEmpty();
        assertThat(PacketCodec.decode(new byte[CodecLimits.PACKET_BYTES_MAX + 1]))
                .as("bytes")
                .isEmpty();
        assertThat(decoded(2, new WireWriter().field(1, 1).bytes()))
                .as("missing field")
                .isEmpty();
        assertThat(decoded(1, new byte[0])).as("a ping with no body").isEmpty();
        assertThat(decoded(
                        8,
                        new WireWriter()
                                .field(1, "b")
                                .field(2, CodecLimits.INCARNATION_MAX + 1)
                                .bytes()))
                .as("incarnation")
                .isEmpty();
        assertThat(decoded(
                        8,
                        new WireWriter().field(1, "b".repeat(129)).field(2, 1).bytes()))
                .as("long id")
                .isEmpty();
        assertThat(decoded(8, new WireWriter().field(1, "").field(2, 1).bytes()))
                .as("empty id")
                .isEmpty();
        assertThat(decoded(
                        8,
                        new WireWriter()
                                .field(1, new byte[] {(byte) 0xC0, 0})
                                .field(2, 1)
                                .bytes()))
                .as("not UTF-8")
                .isEmpty();
        assertThat(decoded(
                        8,
                        new WireWriter()
                                .octet(3)
                                .octet(0xFF)
                                .octet(0xFF)
                                .octet(0x7F)
                                .bytes()))
                .as("a length beyond the end")
                .isEmpty();
        assertThat(decoded(4, nested(6_000))).as("slices within slices").isEmpty();
    }

    private static byte[] nested(int depth) {
        byte[] inner = new byte[0];
        for (int i = 0; inner.length < depth; i++) {
            inner = new WireWriter().field(i % 128, inner).bytes();
        }
        return inner;
    }

    private static Optional<Packet> decoded(int kind, byte[] body) {
        return PacketCodec.decode(new WireWriter()
                .raw(PacketCodec.header("cluster", "sender"))
                .octet(kind)
                .slice(body)
                .bytes());
    }

    /** {@code -Dswim.fuzz=N} runs more rounds. */
    @Test
    void noBytesMakeTheCodecThrow() {
        long seed = 20_240_501;
        int rounds = Integer.getInteger("swim.fuzz", 50_000);
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> valid = new ArrayList<>(List.of(packet(MESSAGES)));
        MESSAGES.forEach(message -> valid.add(packet(List.of(message))));
        STREAM_MESSAGES.forEach(message -> valid.add(StreamCodec.encode(message)));
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = spoiled(valid.get(random.nextInt(valid.size())), random);
            assertThatCode(() -> {
                        PacketCodec.decode(bytes);
                        StreamCodec.decode(bytes);
                    })
                    .as(() -> "seed " + seed + ": " + Arrays.toString(bytes))
                    .doesNotThrowAnyException();
        }
    }

    private static byte[] spoiled(byte[] valid, SplittableRandom random) {
        byte[] bytes;
        switch (random.nextInt(4)) {
            case 0 -> {
                bytes = new byte[random.nextInt(300)];
                random.nextBytes(bytes);
                if (bytes.length > 0 && random.nextBoolean()) {
                    bytes[0] = PacketCodec.VERSION;
                }
            }
            case 1 -> bytes = Arrays.copyOf(valid, random.nextInt(valid.length + 1));
            case 2 ->
                bytes = (new String(valid, StandardCharsets.ISO_8859_1) + "\0\1\2\3")
                        .getBytes(StandardCharsets.ISO_8859_1);
            default -> bytes = valid.clone();
        }
        for (int i = random.nextInt(5); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }
}
