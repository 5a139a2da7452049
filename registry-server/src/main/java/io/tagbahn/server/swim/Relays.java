// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Pings sent in the stead of other members, and what came of them. */
final class Relays {

    private static final int RELAYS_MAX = 1_024;

    private record Relay(HostPort requester, long seq, String target, long nackAtNanos) {}

    private final long timeoutNanos;
    private final Outbox outbox;
    private final RandomGenerator random;
    /** In the order of their time-outs, which are all of one length. */
    private final Map<Long, Relay> relays = new LinkedHashMap<>();

    Relays(ProbeConfig config, Outbox outbox, RandomGenerator random) {
        this.timeoutNanos = config.timeout().toNanos();
        this.outbox = outbox;
        this.random = random;
    }

    void ping(HostPort requester, long requestedSeq, MemberEntry target, long nowNanos) {
        if (relays.size() == RELAYS_MAX) {
            return;
        }
        long seq = random.nextLong() >>> 16;
        relays.put(seq, new Relay(requester, requestedSeq, target.id(), nowNanos + timeoutNanos));
        outbox.send(target.address(), new Message.Ping(seq, target.id()));
    }

    void acked(long seq, String target) {
        Relay relay = relays.get(seq);
        if (relay != null && relay.target().equals(target)) {
            relays.remove(seq);
            outbox.send(relay.requester(), new Message.Ack(relay.seq(), target));
        }
    }

    void tick(long nowNanos) {
        if (nextNanos() > nowNanos) {
            return;
        }
        List<Long> over = new ArrayList<>();
        relays.forEach((seq, relay) -> {
            if (relay.nackAtNanos() <= nowNanos) {
                over.add(seq);
            }
        });
        for (long seq : over) {
            Relay relay = relays.remove(seq);
            if (relay != null) {
                outbox.send(relay.requester(), new Message.Nack(relay.seq()));
            }
        }
    }

    long nextNanos() {
        return relays.isEmpty()
                ? Long.MAX_VALUE
                : relays.values().iterator().next().nackAtNanos();
    }
}
