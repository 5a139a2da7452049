// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import io.tagbahn.model.HostPort;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Carries datagrams and streams between processes, or doesn't. */
public final class SimNetwork {

    /** What TCP waits before it sends a lost segment again. */
    private static final long RESEND_NANOS = 200_000_000L;

    private static final int RESENDS_MAX = 6;

    private record Link(HostPort from, HostPort to) {}

    private final VirtualTime time;
    private final RandomGenerator random;
    private final Map<HostPort, SimProcess> listeners = new HashMap<>();
    private final Set<Link> cuts = new HashSet<>();
    private final Map<HostPort, Integer> sides = new HashMap<>();
    private final Set<HostPort> silent = new HashSet<>();
    private LinkQuality quality = LinkQuality.GOOD;
    private final Map<HostPort, Long> sentTo = new HashMap<>();
    private long datagrams;
    private long bytes;

    public SimNetwork(VirtualTime time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    public void quality(LinkQuality other) {
        quality = other;
    }

    /** Nothing goes from one to the other any longer; the way back stays as it is. */
    public void cutOneWay(HostPort from, HostPort to) {
        cuts.add(new Link(from, to));
    }

    public void cut(HostPort a, HostPort b) {
        cutOneWay(a, b);
        cutOneWay(b, a);
    }

    /** Parts an address from all that are not on the same side; everyone begins on side 0. */
    public void side(HostPort address, int side) {
        sides.put(address, side);
    }

    /** Mends all cuts and partitions. */
    public void heal() {
        cuts.clear();
        sides.clear();
    }

    /** Nothing comes back from this address until a process listens there again. */
    void silence(HostPort address) {
        silent.add(address);
    }

    void listen(HostPort address, SimProcess process) {
        silent.remove(address);
        listeners.put(address, process);
    }

    void close(HostPort address, SimProcess process) {
        listeners.remove(address, process);
    }

    /** Whether what one sends reaches the other. */
    public boolean passes(HostPort from, HostPort to) {
        return !cuts.contains(new Link(from, to)) && sides.getOrDefault(from, 0).equals(sides.getOrDefault(to, 0));
    }

    private long delayNanos() {
        long min = quality.delayMin().toNanos();
        return min + random.nextLong(quality.delayMax().toNanos() - min + 1);
    }

    public void send(HostPort from, HostPort to, byte[] datagram) {
        datagrams++;
        bytes += datagram.length;
        sentTo.merge(to, 1L, Long::sum);
        if (!passes(from, to) || random.nextDouble() < quality.loss()) {
            return;
        }
        int copies = random.nextDouble() < quality.duplicates() ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            time.at(time.nowNanos() + delayNanos(), () -> {
                SimProcess process = listeners.get(to);
                if (process != null) {
                    process.datagram(from, datagram);
                }
            });
        }
    }

    /** Sends a message on a stream; {@code refused} runs where nobody listens. What a cut swallows stays unanswered. */
    void stream(HostPort from, HostPort to, Consumer<SimProcess> arrived, Runnable refused) {
        long delay = delayNanos();
        for (int resends = 0; random.nextDouble() < quality.loss(); resends++) {
            if (resends == RESENDS_MAX) {
                return;
            }
            delay += RESEND_NANOS << resends;
        }
        time.at(time.nowNanos() + delay, () -> {
            if (!passes(from, to) || !passes(to, from) || silent.contains(to)) {
                return;
            }
            SimProcess process = listeners.get(to);
            if (process == null) {
                time.at(time.nowNanos() + delayNanos(), refused);
            } else {
                arrived.accept(process);
            }
        });
    }

    public long datagrams() {
        return datagrams;
    }

    /** Datagrams sent to an address, whether they arrived or not. */
    public long sentTo(HostPort address) {
        return sentTo.getOrDefault(address, 0L);
    }

    public long bytes() {
        return bytes;
    }
}
