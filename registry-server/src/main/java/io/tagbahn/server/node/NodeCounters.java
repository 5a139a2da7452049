// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.rpc.RpcServerStats;
import io.tagbahn.server.edge.thrift.FrontDoor;
import io.tagbahn.server.security.ClusterKeys;
import io.tagbahn.server.security.PacketCounter;
import io.tagbahn.server.security.PacketSeal;
import io.tagbahn.server.swim.SwimCounter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** All that a node has counted since its start, by name: the one place from which it is read. */
final class NodeCounters {

    private final Map<String, Long> counts = new TreeMap<>();

    /** Of the machine of membership. */
    NodeCounters gossip(Map<SwimCounter, Long> gossip) {
        gossip.forEach((counter, count) -> put("gossip.", counter, count));
        return this;
    }

    /** Of datagrams on their way to that machine. */
    NodeCounters packets(PacketSeal seal) {
        for (PacketCounter counter : PacketCounter.values()) {
            put("packets.", counter, seal.counted(counter));
        }
        return this;
    }

    /** Of a port: {@code peer} for other nodes, {@code rpc} for all. */
    NodeCounters port(String port, RpcServerStats stats) {
        counts.put(port + ".connections-open", (long) stats.connectionsOpen());
        counts.put(port + ".connections-accepted", stats.connectionsAccepted());
        counts.put(port + ".calls", stats.calls());
        counts.put(port + ".protocol-errors", stats.protocolErrors());
        counts.put(port + ".unknown-methods", stats.unknownMethods());
        counts.put(port + ".handler-failures", stats.handlerFailures());
        counts.put(port + ".bytes-in", stats.bytesIn());
        counts.put(port + ".bytes-out", stats.bytesOut());
        stats.closes().forEach((reason, count) -> put(port + ".closed.", reason, count));
        return this;
    }

    /** What became of the calls at the public port. */
    NodeCounters admission(FrontDoor door) {
        door.counts().all().forEach((name, count) -> counts.put("admission." + name, count));
        counts.put("admission.waiting-limit", (long) door.waitingLimit());
        return this;
    }

    NodeCounters keys(ClusterKeys keys) {
        counts.put("keys.reloads", keys.reloads());
        counts.put("keys.reloads-failed", keys.reloadsFailed());
        return this;
    }

    private void put(String group, Enum<?> counter, long count) {
        counts.put(group + counter.name().toLowerCase(Locale.ROOT).replace('_', '-'), count);
    }

    /** By name, in alphabetical order. */
    Map<String, Long> all() {
        return new TreeMap<>(counts);
    }

    /** Those that are not 0, in a line. */
    @Override
    public String toString() {
        Map<String, Long> counted = all();
        counted.values().removeIf(count -> count == 0);
        return counted.toString();
    }
}
