// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.RegistryException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Messages on streams as bytes: a version, a kind, numbered fields. Who frames them is the driver's business. */
final class StreamCodec {

    private static final int REQUEST = 1;
    private static final int SAME = 2;
    private static final int WHOLE = 3;
    private static final int PUSH = 4;
    private static final int TAKEN = 5;
    private static final int PING = 6;
    private static final int ACK = 7;
    private static final int DEATH_QUESTION = 8;
    private static final int DEATH_ANSWER = 9;

    private static final int CLUSTER = 1;
    private static final int SELF = 2;
    private static final int JOINING = 3;
    private static final int DIGEST = 4;
    private static final int ENTRY = 5;
    private static final int SENDER = 6;
    private static final int TARGET = 7;
    private static final int HELD_DEAD = 8;

    private StreamCodec() {}

    static byte[] encode(StreamMessage message) {
        WireWriter out = new WireWriter().octet(PacketCodec.VERSION);
        if (message instanceof StreamMessage.Request request) {
            out.octet(REQUEST)
                    .field(SELF, RecordCodec.encode(request.self()))
                    .field(JOINING, request.joining() ? 1 : 0)
                    .field(DIGEST, request.digest() & Long.MAX_VALUE);
        } else if (message instanceof StreamMessage.Same same) {
            out.octet(SAME).field(SELF, RecordCodec.encode(same.self()));
        } else if (message instanceof StreamMessage.Whole whole) {
            out.octet(WHOLE).field(SELF, RecordCodec.encode(whole.self())).field(JOINING, whole.joining() ? 1 : 0);
            entries(out, whole.entries());
        } else if (message instanceof StreamMessage.Push push) {
            out.octet(PUSH).field(SELF, RecordCodec.encode(push.self()));
            entries(out, push.entries());
        } else if (message instanceof StreamMessage.Taken taken) {
            out.octet(TAKEN).field(SELF, RecordCodec.encode(taken.holder())).field(JOINING, taken.joining() ? 1 : 0);
        } else if (message instanceof StreamMessage.StreamPing ping) {
            out.octet(PING).field(SENDER, ping.sender()).field(TARGET, ping.target());
        } else if (message instanceof StreamMessage.StreamAck ack) {
            out.octet(ACK).field(TARGET, ack.target());
        } else if (message instanceof StreamMessage.DeathQuestion question) {
            out.octet(DEATH_QUESTION).field(SENDER, question.sender());
        } else if (message instanceof StreamMessage.DeathAnswer answer) {
            out.octet(DEATH_ANSWER);
            if (answer.incarnation().isPresent()) {
                out.field(HELD_DEAD, answer.incarnation().getAsLong());
            }
        } else {
            throw new IllegalArgumentException("no code for " + message);
        }
        return out.field(CLUSTER, message.cluster()).bytes();
    }

    private static void entries(WireWriter out, List<StateEntry> entries) {
        for (StateEntry entry : entries) {
            out.field(ENTRY, RecordCodec.encode(entry));
        }
    }

    /** The message, or nothing where the bytes are no message of ours; never throws, whatever the bytes. */
    static Optional<StreamMessage> decode(byte[] bytes) {
        if (bytes.length > CodecLimits.STREAM_BYTES_MAX) {
            return Optional.empty();
        }
        try {
            return Optional.of(message(new WireReader(bytes)));
        } catch (BadMessage | RegistryException e) {
            return Optional.empty();
        }
    }

    private static StreamMessage message(WireReader in) throws BadMessage {
        if (in.octet() != PacketCodec.VERSION) {
            throw new BadMessage("another version");
        }
        int kind = in.octet();
        Fields body = Fields.read(in, ENTRY, CodecLimits.MEMBERS_MAX);
        String cluster = body.part(CLUSTER).restAsText(CodecLimits.CLUSTER_BYTES_MAX);
        boolean joining = body.number(JOINING, 0) != 0;
        return switch (kind) {
            case REQUEST ->
                new StreamMessage.Request(cluster, RecordCodec.alive(body.part(SELF)), joining, body.number(DIGEST));
            case SAME -> new StreamMessage.Same(cluster, RecordCodec.alive(body.part(SELF)));
            case WHOLE ->
                new StreamMessage.Whole(
                        cluster, RecordCodec.alive(body.part(SELF)), joining, RecordCodec.entries(body.repeated()));
            case PUSH ->
                new StreamMessage.Push(
                        cluster, RecordCodec.alive(body.part(SELF)), RecordCodec.entries(body.repeated()));
            case TAKEN -> new StreamMessage.Taken(cluster, RecordCodec.alive(body.part(SELF)), joining);
            case PING -> new StreamMessage.StreamPing(cluster, body.id(SENDER), body.id(TARGET));
            case ACK -> new StreamMessage.StreamAck(cluster, body.id(TARGET));
            case DEATH_QUESTION -> new StreamMessage.DeathQuestion(cluster, body.id(SENDER));
            case DEATH_ANSWER ->
                new StreamMessage.DeathAnswer(
                        cluster,
                        body.has(HELD_DEAD) ? OptionalLong.of(body.incarnation(HELD_DEAD)) : OptionalLong.empty());
            default -> throw new BadMessage("stream message of kind " + kind);
        };
    }
}
