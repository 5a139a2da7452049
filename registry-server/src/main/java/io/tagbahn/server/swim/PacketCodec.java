// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.RegistryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Datagrams as bytes: a version, the cluster's name, the sender's id, then messages, each a kind, a length and
 * numbered fields. Unknown kinds and fields are read over; nothing nests deeper than a record's metadata.
 */
final class PacketCodec {

    /** Of the format; a receiver drops packets of other versions, so it changes only when old members can't follow. */
    static final int VERSION = 1;

    private static final int PING = 1;
    private static final int PING_REQ = 2;
    private static final int ACK = 3;
    private static final int NACK = 4;
    private static final int ALIVE = 5;
    private static final int SUSPECT = 6;
    private static final int DEAD = 7;
    private static final int LEFT = 8;

    private PacketCodec() {}

    static byte[] header(String cluster, String sender) {
        return new WireWriter().octet(VERSION).text(cluster).text(sender).bytes();
    }

    /** One message as it stands in a datagram. */
    static byte[] encode(Message message) {
        WireWriter body = new WireWriter();
        int kind;
        if (message instanceof Message.Ping ping) {
            kind = PING;
            body.field(1, ping.seq()).field(2, ping.target());
        } else if (message instanceof Message.PingReq request) {
            kind = PING_REQ;
            body.field(1, request.seq()).field(2, request.target()).field(3, Fields.encoded(request.address()));
        } else if (message instanceof Message.Ack ack) {
            kind = ACK;
            body.field(1, ack.seq()).field(2, ack.target());
        } else if (message instanceof Message.Nack nack) {
            kind = NACK;
            body.field(1, nack.seq());
        } else if (message instanceof Claim.Alive alive) {
            kind = ALIVE;
            body.raw(RecordCodec.encode(alive));
        } else if (message instanceof Claim.Suspect suspect) {
            kind = SUSPECT;
            body.field(1, suspect.subject()).field(2, suspect.incarnation()).field(3, suspect.accuser());
            if (suspect.evidence() == Evidence.REFUSED) {
                body.field(4, 1);
            }
        } else if (message instanceof Claim.Dead dead) {
            kind = DEAD;
            body.field(1, dead.subject()).field(2, dead.incarnation()).field(3, dead.accuser());
        } else if (message instanceof Claim.Left left) {
            kind = LEFT;
            body.field(1, left.subject()).field(2, left.incarnation());
        } else {
            throw new IllegalArgumentException("no code for " + message);
        }
        return new WireWriter().octet(kind).slice(body.bytes()).bytes();
    }

    /** The packet, or nothing where the bytes are no packet of ours; never throws, whatever the bytes. */
    static Optional<Packet> decode(byte[] bytes) {
        if (bytes.length > CodecLimits.PACKET_BYTES_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(packet(new WireReader(bytes)));
        } catch (BadMessage | RegistryException e) {
            return Optional.empty();
        }
    }

    private static Packet packet(WireReader in) throws BadMessage {
        if (in.octet() != VERSION) {
            throw new BadMessage("another version");
        }
        String cluster = in.slice().restAsText(CodecLimits.CLUSTER_BYTES_MAX);
        String sender = Fields.checkedId(in.slice().restAsText(CodecLimits.ID_BYTES_MAX));
        List<Message> messages = new ArrayList<>();
        for (int count = 0; in.hasMore(); count++) {
            if (count == CodecLimits.MESSAGES_MAX) {
                throw new BadMessage("more than " + CodecLimits.MESSAGES_MAX + " messages");
            }
            message(in.octet(), in.slice()).ifPresent(messages::add);
        }
        return new Packet(cluster, sender, messages);
    }

    private static Optional<Message> message(int kind, WireReader in) throws BadMessage {
        if (kind == ALIVE) {
            return Optional.of(RecordCodec.alive(in));
        }
        if (kind < PING || kind > LEFT) {
            return Optional.empty();
        }
        Fields body = Fields.read(in);
        return switch (kind) {
            case PING -> Optional.of(new Message.Ping(body.number(1), body.id(2)));
            case PING_REQ -> Optional.of(new Message.PingReq(body.number(1), body.id(2), body.address(3)));
            case ACK -> Optional.of(new Message.Ack(body.number(1), body.id(2)));
            case NACK -> Optional.of(new Message.Nack(body.number(1)));
            case SUSPECT ->
                Optional.of(new Claim.Suspect(
                        body.id(1),
                        body.incarnation(2),
                        body.id(3),
                        body.number(4, 0) == 1 ? Evidence.REFUSED : Evidence.SILENT));
            case DEAD -> Optional.of(new Claim.Dead(body.id(1), body.incarnation(2), body.id(3)));
            case LEFT -> Optional.of(new Claim.Left(body.id(1), body.incarnation(2)));
            default -> Optional.empty();
        };
    }
}
