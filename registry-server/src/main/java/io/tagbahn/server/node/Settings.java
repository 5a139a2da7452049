// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.server.ring.Placement;
import io.tagbahn.server.store.LeaseTerms;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The values of all options of a node: those that were given, and the defaults of the others. */
final class Settings {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int PIECES_MAX = 100_000_000;

    /** All options, in the order in which they are documented. */
    static final List<Setting> ALL = List.of(
            Setting.text(
                    "node.id",
                    "",
                    "Name of the node, unique in its cluster: letters, digits, `.`, `_`, `-`, at most"
                            + " 128. Chosen at random at the first start and kept in the data directory."),
            Setting.address(
                    "node.listen",
                    "127.0.0.1:21300",
                    "Where the node listens. `0.0.0.0` or `[::]` stands for all"
                            + " addresses of the machine; port 0 takes a free one."),
            Setting.address(
                    "node.advertise",
                    "",
                    "Where others reach the node. By default what it listens on; where that"
                            + " is all addresses, the first one of the machine that isn't a loopback."),
            Setting.path(
                    "node.data-dir",
                    "tagbahn-data",
                    "Directory for what outlives the process: the node's id,"
                            + " operators' statuses. One process at a time uses it."),
            Setting.text("node.zone", "", "Zone that the node stands in."),
            Setting.text("node.region", "", "Region that the zone belongs to."),
            Setting.duration(
                    "node.drain",
                    "5s",
                    Duration.ZERO,
                    Duration.ofMinutes(10),
                    "How long calls in flight may take" + " to finish when the node stops."),
            Setting.text(
                    "cluster.name",
                    "tagbahn",
                    "Name of the cluster, the same on all its nodes, at most 64 bytes; nodes of others are"
                            + " refused."),
            Setting.count(
                    "cluster.replicas",
                    3,
                    1,
                    Placement.REPLICAS_MAX,
                    "Nodes that hold each entry (k), where the cluster has as many; the same on all nodes. All but one of"
                            + " them may fail together."),
            Setting.text(
                    "cluster.seeds",
                    "",
                    "Nodes through which this one finds its cluster: their public addresses, `HOST:PORT` with commas"
                            + " between. Without any, a node that remembers none is the first of its cluster."),
            Setting.address(
                    "cluster.listen",
                    "",
                    "Where the node listens to other nodes, for connections and for datagrams. By default the host of"
                            + " `node.listen`, and the port above its own."),
            Setting.path(
                    "cluster.keys-dir",
                    "",
                    "Directory with the keys by which nodes know each other and talk encrypted; `tagbahn keys` makes it."
                            + " All nodes of a cluster have keys, or none. Read again when its files change."),
            Setting.text(
                    "cluster.plain",
                    "false",
                    "`true` where nodes may talk to each other unencrypted beyond the loopback, as in a network of their"
                            + " own: whoever reaches that port can then change what the cluster knows. Otherwise a node"
                            + " that listens to more than the loopback and has no keys takes no part in a cluster."),
            Setting.count(
                    "cluster.connections",
                    4_096,
                    16,
                    1_000_000,
                    "Connections of other nodes open at once; more are closed as they come."),
            Setting.duration(
                    "cluster.peer-timeout",
                    "1s",
                    Duration.ofMillis(50),
                    Duration.ofMinutes(1),
                    "How long another node may take to answer a call."),
            Setting.duration(
                    "cluster.settle",
                    "5s",
                    Duration.ofMillis(50),
                    Duration.ofMinutes(10),
                    "How long after a node came or went others may still act as if it hadn't."),
            Setting.duration(
                    "cluster.repair-interval",
                    "15s",
                    Duration.ofMillis(100),
                    DAY,
                    "How often nodes compare what they hold."),
            Setting.duration(
                    "cluster.forget",
                    "10m",
                    SECOND,
                    Duration.ofDays(7),
                    "How long nodes that are gone stay in the list of members. They are looked for, and old news of them is"
                            + " told from new, for a day at least."),
            Setting.duration(
                    "cluster.handover",
                    "30s",
                    Duration.ofMillis(1),
                    Duration.ofHours(1),
                    "How long a node that leaves waits for others to take over what it holds."),
            Setting.duration(
                    "lease.default",
                    "30s",
                    SECOND,
                    LeaseTerms.LEASE_LIMIT,
                    "Lease of a registration that asks" + " for none."),
            Setting.duration(
                    "lease.min",
                    "1s",
                    Duration.ofMillis(100),
                    LeaseTerms.LEASE_LIMIT,
                    "Shorter leases are raised" + " to it."),
            Setting.duration("lease.max", "24h", SECOND, LeaseTerms.LEASE_LIMIT, "Longer leases are lowered to it."),
            Setting.duration(
                    "lease.tombstone",
                    "10m",
                    SECOND,
                    DAY,
                    "How long the generation of an instance that is gone"
                            + " is remembered, so that late messages can't bring it back."),
            Setting.duration(
                    "lease.operator-status",
                    "7d",
                    Duration.ofMinutes(1),
                    Duration.ofDays(365),
                    "How long an" + " operator's status is kept once its instance was last seen."),
            Setting.text(
                    "ontology.scope",
                    "everything",
                    "Which axioms of an ontology apply: `everything`, also those about terms of others, or `own-namespace`,"
                            + " those alone that put a term under its own IRI below another; the same on all nodes."),
            Setting.count("ontology.documents", 1_000, 1, 100_000, "Ontologies in all; more are refused."),
            Setting.bytes(
                    "ontology.bytes",
                    "256MiB",
                    1_024,
                    1L << 40,
                    "Bytes of all ontologies together; more are" + " refused."),
            Setting.bytes(
                    "ontology.document-bytes",
                    "64MiB",
                    1_024,
                    1 << 30,
                    "Bytes of one ontology, once it is unpacked;" + " larger ones are refused."),
            Setting.count(
                    "ontology.document-triples",
                    5_000_000,
                    1,
                    PIECES_MAX,
                    "Triples of one ontology; one with more is" + " refused."),
            Setting.count(
                    "watch.targets",
                    20_000,
                    1,
                    PIECES_MAX,
                    "Different questions that are watched at the node; more are refused."),
            Setting.bytes(
                    "watch.bytes",
                    "64MiB",
                    65_536,
                    1L << 40,
                    "Memory that these questions and their answers take at most; questions beyond it are refused, answers"
                            + " beyond it are told and not kept."),
            Setting.count(
                    "watch.readers",
                    50_000,
                    1,
                    PIECES_MAX,
                    "Calls that wait for changes at the node; more are refused."),
            Setting.count(
                    "watch.changes",
                    100_000,
                    100,
                    10_000_000,
                    "Comings and goings of entries that are kept for readers of the catalogue; those that are further behind"
                            + " begin anew. Kept only while there are readers, and five minutes longer."),
            Setting.bytes(
                    "watch.change-bytes",
                    "16MiB",
                    65_536,
                    1L << 40,
                    "Memory that these take at most; and as much for changes of all kinds, while somebody watches."),
            Setting.count("limits.instances", 1_000_000, 1, PIECES_MAX, "Instances in all; more are refused."),
            Setting.count(
                    "limits.entries",
                    5_000_000,
                    1,
                    PIECES_MAX,
                    "Entries in all, service names and tags alike; more" + " are refused."),
            Setting.count(
                    "limits.tags-per-registration",
                    100_000,
                    1,
                    1_000_000,
                    "Tags of one instance, its service name not counted; more are refused, and tags that take more than"
                            + " three quarters of `rpc.frame-bytes`."),
            Setting.count(
                    "limits.tombstones",
                    100_000,
                    1,
                    PIECES_MAX,
                    "Instances that are gone and still remembered; past"
                            + " it the oldest is forgotten early. At most 40 bytes each, taken at the start."),
            Setting.count(
                    "limits.operator-statuses",
                    10_000,
                    1,
                    1_000_000,
                    "Instances on which an operator's status is" + " kept; more are refused."),
            Setting.count(
                    "limits.tags-per-query", 10_000, 1, 1_000_000, "Tags in one `tagDiscover`; more are refused."),
            Setting.count(
                    "limits.leases-per-heartbeat",
                    10_000,
                    1,
                    1_000_000,
                    "Leases in one `heartbeat`; more are" + " refused."),
            Setting.count(
                    "limits.names-per-page",
                    100_000,
                    1,
                    1_000_000,
                    "Entries on one page of `serviceNames`, and how" + " many there are where a query names no limit."),
            Setting.count(
                    "limits.queued-writes",
                    10_000,
                    1,
                    1_000_000,
                    "Writes that may wait for their turn; more are" + " refused with the signal to try elsewhere."),
            Setting.text(
                    "admission.mode",
                    "enforce",
                    "Whether calls are refused when more come than the node can answer: `enforce`; `observe` begins and"
                            + " counts them; `off` does neither."),
            Setting.duration(
                    "admission.delay-target",
                    "50ms",
                    Duration.ofMillis(1),
                    Duration.ofSeconds(10),
                    "How long calls may wait to be begun, on average, before some are refused."),
            Setting.duration(
                    "admission.delay-max",
                    "400ms",
                    Duration.ofMillis(1),
                    Duration.ofMinutes(1),
                    "How long a call may have waited when it is begun; a listing or watch half as long."),
            Setting.duration(
                    "admission.critical-delay-max",
                    "2s",
                    Duration.ofMillis(1),
                    Duration.ofMinutes(1),
                    "The same for registrations, heartbeats, deregistrations and operators' statuses."),
            Setting.count(
                    "quota.calls-per-second",
                    0,
                    0,
                    PIECES_MAX,
                    "Calls a second that each caller may make in the whole cluster, by the name in its calls' contexts or"
                            + " else its address; 0 sets no limit. Calls that keep leases don't count. The same on all"
                            + " nodes."),
            Setting.count(
                    "quota.burst",
                    1_000,
                    1,
                    PIECES_MAX,
                    "Calls that a caller which was quiet may make at once; the same on all nodes."),
            Setting.count("rpc.threads", 0, 0, 1024, "Event loops; 0 takes one for each processor, 16 at most."),
            Setting.bytes(
                    "rpc.frame-bytes",
                    "16384000",
                    65_536,
                    RpcLimits.FRAME_BYTES_MAX,
                    "Bytes of one message, in or"
                            + " out. A longer one that comes in closes the connection, pages end early, other answers are"
                            + " refused."),
            Setting.bytes(
                    "rpc.string-bytes",
                    "16384000",
                    16_384,
                    RpcLimits.FRAME_BYTES_MAX,
                    "Bytes of one text that comes" + " in."),
            Setting.count(
                    "rpc.container-entries",
                    1_000_000,
                    1_000,
                    100_000_000,
                    "Entries of all lists and maps in one" + " message that comes in."),
            Setting.count("rpc.depth", 32, 8, 512, "Structs and containers inside each other in one message."),
            Setting.count(
                    "rpc.connections",
                    10_000,
                    1,
                    1_000_000,
                    "Connections open at once; more are closed as they come. Fewer where the process may open too few files:"
                            + " a quarter of those it may is kept for other nodes."),
            Setting.count(
                    "rpc.calls-per-connection",
                    1_024,
                    1,
                    1_000_000,
                    "Calls begun and not answered on one" + " connection; at it, the connection is not read."),
            Setting.count("rpc.calls", 65_536, 1, 10_000_000, "The same over all connections."),
            Setting.bytes(
                    "rpc.inbound-bytes",
                    "256MiB",
                    65_536,
                    1L << 40,
                    "Memory for messages that are not yet whole,"
                            + " over all connections; a connection that would pass it is closed."),
            Setting.bytes(
                    "rpc.outbound-bytes",
                    "1MiB",
                    1_024,
                    1 << 30,
                    "Answers that one connection has not taken yet;" + " above it, the connection is not read."),
            Setting.duration(
                    "rpc.first-frame-timeout",
                    "10s",
                    Duration.ofMillis(10),
                    DAY,
                    "How long a new connection may" + " take until its first message is whole."),
            Setting.duration(
                    "rpc.stalled-frame-timeout",
                    "30s",
                    Duration.ofMillis(10),
                    DAY,
                    "How long a message on its" + " way, or a reader of answers, may make no headway."),
            Setting.duration(
                    "rpc.idle-timeout",
                    "10m",
                    Duration.ofMillis(10),
                    DAY,
                    "How long a connection with no call in" + " flight is kept."));

    private final Map<String, Setting> byKey = new HashMap<>();
    private final Map<String, String> given;

    /** @throws InvalidConfig where a key is unknown */
    Settings(Map<String, String> given) {
        ALL.forEach(setting -> byKey.put(setting.key(), setting));
        this.given = new TreeMap<>(given);
        this.given.forEach((key, value) -> {
            if (!byKey.containsKey(key)) {
                throw new InvalidConfig(key, value, "no such key; the nearest is " + nearest(key));
            }
        });
    }

    private Setting setting(String key) {
        Setting setting = byKey.get(key);
        if (setting == null) {
            throw new IllegalArgumentException("no setting " + key);
        }
        return setting;
    }

    /** The value as it was given, or the default; empty where there is neither. */
    String text(String key) {
        return given.getOrDefault(key, setting(key).byDefault()).strip();
    }

    Optional<String> optional(String key) {
        return Optional.of(text(key)).filter(text -> !text.isEmpty());
    }

    long number(String key) {
        return setting(key).number(given.getOrDefault(key, setting(key).byDefault()));
    }

    /** A number whose legal range lies within {@code int}. */
    int count(String key) {
        return Math.toIntExact(number(key));
    }

    Duration duration(String key) {
        return Duration.ofMillis(number(key));
    }

    /** The legal key that takes the fewest changes of a letter to reach. */
    private static String nearest(String key) {
        String nearest = ALL.get(0).key();
        int least = Integer.MAX_VALUE;
        for (Setting setting : ALL) {
            int distance = distance(key, setting.key());
            if (distance < least) {
                least = distance;
                nearest = setting.key();
            }
        }
        return nearest;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    /** All options as a table for people, in Markdown. */
    static String table() {
        StringBuilder table = new StringBuilder("| key | value | default | legal | meaning |\n|---|---|---|---|---|\n");
        for (Setting setting : ALL) {
            table.append("| `").append(setting.key()).append("` | ").append(setting.kind());
            table.append(" | ").append(setting.byDefault().isEmpty() ? "" : "`" + setting.byDefault() + "`");
            table.append(" | ").append(setting.legal());
            table.append(" | ").append(setting.meaning()).append(" |\n");
        }
        return table.toString();
    }
}
