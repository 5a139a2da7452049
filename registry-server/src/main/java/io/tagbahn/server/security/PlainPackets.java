// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.util.Optional;
import java.util.function.LongSupplier;

/** Datagrams as they are, where nodes talk without keys. */
public final class PlainPackets extends PacketSeal {

    private final RareWarning warning;

    public PlainPackets(LongSupplier ticker) {
        this.warning = new RareWarning(ticker);
    }

    @Override
    public int overheadBytes() {
        return 0;
    }

    @Override
    public byte[] seal(byte[] packet) {
        return packet;
    }

    @Override
    public Optional<byte[]> open(byte[] bytes) {
        if (bytes.length > 0 && bytes[0] == SEALED) {
            count(PacketCounter.SEALED_ELSEWHERE);
            warning.say("encrypted datagrams come in, and this node has no keys: is cluster.keys-dir missing here?");
            return Optional.empty();
        }
        count(PacketCounter.TAKEN);
        return Optional.of(bytes);
    }
}
