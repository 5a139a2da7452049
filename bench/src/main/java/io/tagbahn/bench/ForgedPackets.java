// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.thrift.MemberInfo;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Datagrams of membership as somebody without keys would forge them, right in form, and what can be made of those. */
final class ForgedPackets {

    private static final int VERSION = 1;
    private static final byte SEALED = (byte) 0xE1;
    private static final int PING = 1;
    private static final int PING_REQ = 2;
    private static final int ACK = 3;
    private static final int ALIVE = 5;
    private static final int SUSPECT = 6;
    private static final int DEAD = 7;
    private static final int LEFT = 8;
    private static final int PACKET_BYTES_MAX = 1_400;
    private static final int DATAGRAM_BYTES_MAX = 60_000;
    private static final int MUTATIONS_MAX = 5;

    private final RandomGenerator random;
    private List<MemberInfo> members;

    ForgedPackets(RandomGenerator random, List<MemberInfo> members) {
        this.random = random;
        this.members = List.copyOf(members);
    }

    /** What can be known of the members now: old incarnations are no threat. */
    void members(List<MemberInfo> now) {
        members = List.copyOf(now);
    }

    /** Bytes without meaning, of any size; half of them begin as an encrypted packet does. */
    byte[] garbage() {
        byte[] bytes = new byte[random.nextInt(random.nextInt(50) == 0 ? DATAGRAM_BYTES_MAX : PACKET_BYTES_MAX)];
        random.nextBytes(bytes);
        if (bytes.length > 0 && random.nextBoolean()) {
            bytes[0] = SEALED;
        }
        return bytes;
    }

    /** A death, a suspicion or a leave of a member, by another. */
    byte[] accusation(String cluster, boolean leaves) {
        MemberInfo subject = member();
        MemberInfo accuser = member();
        long incarnation = subject.getIncarnation() + random.nextInt(4);
        int kind = random.nextInt(leaves ? 3 : 2);
        Bytes claim = new Bytes().field(1, subject.getId()).field(2, incarnation);
        if (kind < 2) {
            claim.field(3, accuser.getId());
        }
        return packet(cluster, accuser.getId())
                .message(kind == 0 ? DEAD : kind == 1 ? SUSPECT : LEFT, claim)
                .array();
    }

    /** A ping, an indirect one or an answer that nobody waits for. */
    byte[] probe(String cluster) {
        MemberInfo target = member();
        long seq = random.nextLong() >>> 16;
        Bytes packet = packet(cluster, member().getId());
        Bytes body = new Bytes().field(1, seq).field(2, target.getId());
        return switch (random.nextInt(4)) {
            case 0 -> packet.message(PING, body).array();
            case 1 -> packet.message(PING, new Bytes()).array(); // as one that broke another engine
            case 2 -> packet.message(ACK, body).array();
            default ->
                packet.message(PING_REQ, body.part(3, new byte[] {4, 0, 9, 127, 0, 0, 1}))
                        .array();
        };
    }

    /** A member that isn't there. */
    byte[] newcomer(String cluster) {
        String id = "forged-" + random.nextInt(1_000);
        byte[] address = {4, (byte) random.nextInt(256), (byte) random.nextInt(256), 127, 0, 0, 1};
        Bytes node = new Bytes()
                .field(1, id)
                .part(2, address)
                .part(3, address)
                .field(4, random.nextInt(1_000_000))
                .field(5, 100);
        return packet(cluster, id)
                .message(ALIVE, new Bytes().part(1, node.array()).field(2, random.nextInt(1_000)))
                .array();
    }

    /** Broken off, with bytes changed, with lengths that can't be. */
    byte[] broken(byte[] packet) {
        byte[] bytes = packet.clone();
        int mutations = 1 + random.nextInt(MUTATIONS_MAX);
        for (int i = 0; i < mutations && bytes.length > 1; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(3)) {
                case 0 -> bytes = Arrays.copyOf(bytes, at);
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                default -> bytes[at] = (byte) 0xFF;
            }
        }
        return bytes;
    }

    private MemberInfo member() {
        return members.get(random.nextInt(members.size()));
    }

    private static Bytes packet(String cluster, String sender) {
        return new Bytes().octet(VERSION).slice(utf8(cluster)).slice(utf8(sender));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes in the order in which they are added, in the form of membership's messages. */
    private static final class Bytes {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Bytes octet(int octet) {
            out.write(octet);
            return this;
        }

        Bytes varint(long value) {
            long rest = value;
            while (rest >= 0x80) {
                out.write((int) (rest & 0x7F) | 0x80);
                rest >>>= 7;
            }
            return octet((int) rest);
        }

        Bytes slice(byte[] part) {
            varint(part.length);
            out.writeBytes(part);
            return this;
        }

        Bytes field(int tag, long value) {
            return octet(tag << 1).varint(value);
        }

        Bytes field(int tag, String value) {
            return part(tag, utf8(value));
        }

        Bytes part(int tag, byte[] value) {
            return octet(tag << 1 | 1).slice(value);
        }

        Bytes message(int kind, Bytes body) {
            return octet(kind).slice(body.array());
        }

        byte[] array() {
            return out.toByteArray();
        }
    }
}
