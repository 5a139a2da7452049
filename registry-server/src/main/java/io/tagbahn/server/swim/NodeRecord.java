// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node says of itself.
 *
 * @param id its name, the same across restarts, 1..128 bytes of UTF-8
 * @param gossip where members reach it, over UDP and TCP
 * @param api where its public API is reached
 * @param run a number drawn at each start, 0 or more: another run of the same id is a restart
 * @param weight its share of the ring in relation to others, 1..10,000; 100 is usual
 * @param metadata at most 16 short entries
 */
public record NodeRecord(
        String id,
        HostPort gossip,
        HostPort api,
        long run,
        int weight,
        Locality locality,
        Map<String, String> metadata) {

    /** @throws InvalidArgument where a field is out of range or the whole is too large for a datagram */
    public NodeRecord {
        int bytes = Checks.text("id", id, 1, CodecLimits.ID_BYTES_MAX);
        Checks.range("run", run, 0, Long.MAX_VALUE);
        Checks.range("weight", weight, 1, 10_000);
        Checks.range("metadata", metadata.size(), 0, CodecLimits.METADATA_ENTRIES_MAX);
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            bytes += 6 + Checks.text("metadata key", entry.getKey(), 1, CodecLimits.METADATA_BYTES_MAX);
            bytes += Checks.text("metadata." + entry.getKey(), entry.getValue(), 0, CodecLimits.METADATA_BYTES_MAX);
        }
        bytes += placeBytes(locality)
                + gossip.toString().length()
                + api.toString().length()
                + 64;
        Checks.range("record bytes", bytes, 0, CodecLimits.RECORD_BYTES_MAX);
        // Sorted, so that the same record has the same bytes everywhere.
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    private static int placeBytes(Locality locality) {
        return locality.node()
                        .map(name -> Checks.text("node", name, 1, Locality.BYTES_MAX))
                        .orElse(0)
                + locality.zone()
                        .map(name -> Checks.text("zone", name, 1, Locality.BYTES_MAX))
                        .orElse(0)
                + locality.region()
                        .map(name -> Checks.text("region", name, 1, Locality.BYTES_MAX))
                        .orElse(0);
    }

    /** The same node with other metadata. */
    public NodeRecord withMetadata(Map<String, String> other) {
        return new NodeRecord(id, gossip, api, run, weight, locality, other);
    }

    /** Whether both may be the same process: nothing but a restart changes a node's run or its address. */
    boolean sameProcess(NodeRecord other) {
        return run == other.run && gossip.equals(other.gossip);
    }
}
