// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import java.util.ArrayList;
import java.util.List;

/** What the machine wants done, in order; datagrams are filled up with gossip on their way in. */
final class Outbox {

    private final byte[] header;
    private final int packetBytesMax;
    private final GossipQueue gossip;
    private final Counters counters;
    private List<Effect> effects = new ArrayList<>();
    private int transmitsMax = 1;
    private long nextStream = 1;

    Outbox(SwimConfig config, String selfId, GossipQueue gossip, Counters counters) {
        this.header = PacketCodec.header(config.cluster(), selfId);
        this.packetBytesMax = config.gossip().packetBytesMax();
        this.gossip = gossip;
        this.counters = counters;
    }

    /** How often each claim is told from now on. */
    void transmitsMax(int transmits) {
        transmitsMax = transmits;
    }

    int transmitsMax() {
        return transmitsMax;
    }

    void add(Effect effect) {
        effects.add(effect);
    }

    /** Sends these messages, and as many waiting claims as fit behind them. */
    void send(HostPort to, Message... messages) {
        WireWriter out = new WireWriter().raw(header);
        for (Message message : messages) {
            out.raw(PacketCodec.encode(message));
        }
        for (byte[] claim : gossip.take(packetBytesMax - out.length(), transmitsMax)) {
            out.raw(claim);
        }
        byte[] datagram = out.bytes();
        counters.increment(SwimCounter.DATAGRAMS_SENT);
        counters.add(SwimCounter.DATAGRAM_BYTES_SENT, datagram.length);
        effects.add(new Effect.Send(to, datagram));
    }

    long open(HostPort to, StreamMessage message) {
        long stream = nextStream++;
        effects.add(new Effect.OpenStream(stream, to, encoded(message)));
        return stream;
    }

    void push(long stream, StreamMessage message) {
        effects.add(new Effect.PushStream(stream, encoded(message)));
    }

    void reply(StreamMessage message) {
        effects.add(new Effect.Reply(encoded(message)));
    }

    private byte[] encoded(StreamMessage message) {
        byte[] bytes = StreamCodec.encode(message);
        counters.add(SwimCounter.STREAM_BYTES_SENT, bytes.length);
        return bytes;
    }

    List<Effect> flush() {
        List<Effect> flushed = effects;
        effects = new ArrayList<>();
        return flushed;
    }
}
