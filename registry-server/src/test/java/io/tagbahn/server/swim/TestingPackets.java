// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.io.ByteArrayOutputStream;

/** Datagrams of membership, right in form. */
public final class TestingPackets {

    private TestingPackets() {}

    /** That a member has died, said by another. */
    public static byte[] death(String cluster, String accuser, String subject, long incarnation) {
        return packet(cluster, accuser, new Claim.Dead(subject, incarnation, accuser));
    }

    /** That a member has left. */
    public static byte[] left(String cluster, String subject, long incarnation) {
        return packet(cluster, subject, new Claim.Left(subject, incarnation));
    }

    /** The question whether a member is there. */
    public static byte[] ping(String cluster, String sender, String target) {
        return packet(cluster, sender, new Message.Ping(1, target));
    }

    private static byte[] packet(String cluster, String sender, Message message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(PacketCodec.header(cluster, sender));
        out.writeBytes(PacketCodec.encode(message));
        return out.toByteArray();
    }
}
