// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** What datagrams between members go through before they are sent, and after they came; one thread uses it. */
public abstract sealed class PacketSeal permits SealedPackets, PlainPackets {

    /** First byte of a sealed packet; plain ones begin with the version of their own format, which is another. */
    static final byte SEALED = (byte) 0xE1;

    private final Map<PacketCounter, LongAdder> counts = new EnumMap<>(PacketCounter.class);

    PacketSeal() {
        for (PacketCounter counter : PacketCounter.values()) {
            counts.put(counter, new LongAdder());
        }
    }

    /** Bytes that sealing adds to a packet. */
    public abstract int overheadBytes();

    public abstract byte[] seal(byte[] packet);

    /** The packet, or nothing where it is to be dropped, which is counted. */
    public abstract Optional<byte[]> open(byte[] bytes);

    final void count(PacketCounter counter) {
        Objects.requireNonNull(counts.get(counter)).increment();
    }

    /** Callable from any thread. */
    public final long counted(PacketCounter counter) {
        return Objects.requireNonNull(counts.get(counter)).sum();
    }
}
