// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import io.tagbahn.semantics.OntologyLimits;
import io.tagbahn.semantics.OntologyScope;
import io.tagbahn.server.admission.AdmissionMode;
import io.tagbahn.server.admission.AdmissionTerms;
import io.tagbahn.server.admission.QuotaTerms;
import io.tagbahn.server.cluster.ClusterConfig;
import io.tagbahn.server.ontology.OntologyTerms;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.watch.WatchTerms;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All settings of a node, checked.
 *
 * @param id chosen at random and kept in the data directory where absent
 * @param listen where the node listens
 * @param advertise where others reach it; follows from {@code listen} where absent
 * @param dataDirectory for what outlives the process
 * @param locality where the node stands
 * @param drain how long calls in flight may take to finish when the node stops
 * @param joining how it finds its cluster
 */
public record NodeConfig(
        Optional<String> id,
        ListenAddress listen,
        Optional<HostPort> advertise,
        Path dataDirectory,
        Locality locality,
        Duration drain,
        ClusterConfig cluster,
        JoinConfig joining,
        LeaseTerms lease,
        OntologyTerms ontologies,
        WatchTerms watches,
        LimitsConfig limits,
        RpcConfig rpc,
        AdmissionTerms admission,
        QuotaTerms quotas) {

    /** More in one message between nodes would hold others up for too long. */
    private static final int COPY_BYTES_MAX = 2 << 20;

    private static final int CLUSTER_NAME_BYTES_MAX = 64;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    public NodeConfig {
        id.ifPresent(text -> {
            if (!isNodeId(text)) {
                throw new InvalidConfig(
                        "node.id", text, "1..128 letters, digits, '.', '_' and '-' are legal, a letter or digit first");
            }
        });
    }

    static boolean isNodeId(String text) {
        return ID.matcher(text).matches();
    }

    /** A node that says nothing of itself. */
    public static NodeConfig defaults() {
        return parse(Map.of());
    }

    /**
     * The settings of a node.
     *
     * @param given by key, as in docs/configuration.md; an empty value stands for none
     * @throws InvalidConfig where a key is unknown or a value not legal; the message says key, value and what is legal
     */
    public static NodeConfig parse(Map<String, String> given) {
        Settings settings = new Settings(given);
        return new NodeConfig(
                settings.optional("node.id"),
                read(settings, "node.listen", ListenAddress::parse),
                settings.optional("node.advertise").map(text -> read(settings, "node.advertise", HostPort::parse)),
                path("node.data-dir", settings.text("node.data-dir")),
                locality(settings),
                settings.duration("node.drain"),
                cluster(settings),
                joining(settings),
                lease(settings),
                ontologies(settings),
                new WatchTerms(
                        settings.count("watch.targets"),
                        settings.number("watch.bytes"),
                        settings.count("watch.readers"),
                        settings.count("watch.changes"),
                        settings.number("watch.change-bytes")),
                LimitsConfig.of(settings),
                RpcConfig.of(settings),
                admission(settings),
                new QuotaTerms(settings.number("quota.calls-per-second"), settings.number("quota.burst")));
    }

    /**
     * The settings in a file of {@code key=value} lines (UTF-8, the format of {@link Properties}), and what is given
     * besides, which comes first.
     *
     * @throws InvalidConfig as {@link #parse}
     * @throws IOException where the file can't be read
     */
    public static NodeConfig load(Path file, Map<String, String> given) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        Map<String, String> all = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        all.putAll(given);
        return parse(all);
    }

    private static <T> T read(Settings settings, String key, Function<String, T> parser) {
        try {
            return parser.apply(settings.text(key));
        } catch (InvalidArgument e) {
            throw new InvalidConfig(key, settings.text(key), e.field() + " " + e.reason());
        }
    }

    private static Path path(String key, String text) {
        try {
            if (!text.isEmpty()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            throw new InvalidConfig(key, text, e.getReason());
        }
        throw new InvalidConfig(key, text, "a path is needed");
    }

    private static Locality locality(Settings settings) {
        return new Locality(Optional.empty(), place(settings, "node.zone"), place(settings, "node.region"));
    }

    private static Optional<String> place(Settings settings, String key) {
        return settings.optional(key)
                .map(text -> read(settings, key, name -> {
                    // The record checks its parts: one of them is enough to hear what it says.
                    new Locality(Optional.of(name), Optional.empty(), Optional.empty());
                    return name;
                }));
    }

    private static ClusterConfig cluster(Settings settings) {
        String name = settings.text("cluster.name");
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > CLUSTER_NAME_BYTES_MAX) {
            throw new InvalidConfig("cluster.name", name, "1..64 bytes are legal");
        }
        return new ClusterConfig(
                name,
                settings.count("cluster.replicas"),
                settings.duration("cluster.peer-timeout"),
                settings.duration("cluster.settle"),
                settings.duration("cluster.repair-interval"),
                settings.duration("cluster.handover"),
                Math.min(COPY_BYTES_MAX, settings.count("rpc.frame-bytes") / 2));
    }

    private static JoinConfig joining(Settings settings) {
        List<HostPort> seeds = new ArrayList<>();
        for (String seed : settings.text("cluster.seeds").split(",", -1)) {
            if (!seed.isBlank()) {
                try {
                    seeds.add(HostPort.parse(seed.strip()));
                } catch (InvalidArgument e) {
                    throw new InvalidConfig("cluster.seeds", seed.strip(), e.field() + " " + e.reason());
                }
            }
        }
        if (seeds.size() > JoinConfig.SEEDS_MAX) {
            throw new InvalidConfig(
                    "cluster.seeds", seeds.size() + " nodes", "at most " + JoinConfig.SEEDS_MAX + " are legal");
        }
        String plain = settings.text("cluster.plain");
        if (!plain.equals("true") && !plain.equals("false")) {
            throw new InvalidConfig("cluster.plain", plain, "true and false are legal");
        }
        return new JoinConfig(
                settings.optional("cluster.listen").map(text -> read(settings, "cluster.listen", ListenAddress::parse)),
                seeds,
                settings.optional("cluster.keys-dir").map(text -> path("cluster.keys-dir", text)),
                plain.equals("true"),
                settings.count("cluster.connections"),
                settings.duration("cluster.forget"));
    }

    private static OntologyTerms ontologies(Settings settings) {
        String scope = settings.text("ontology.scope");
        return new OntologyTerms(
                new OntologyLimits(
                        settings.count("ontology.document-bytes"),
                        settings.count("ontology.document-triples"),
                        OntologyLimits.DEFAULT.nestingMax()),
                settings.count("ontology.documents"),
                settings.number("ontology.bytes"),
                switch (scope) {
                    case "everything" -> OntologyScope.EVERYTHING;
                    case "own-namespace" -> OntologyScope.OWN_NAMESPACE;
                    default ->
                        throw new InvalidConfig("ontology.scope", scope, "everything and own-namespace are legal");
                });
    }

    private static AdmissionTerms admission(Settings settings) {
        String mode = settings.text("admission.mode");
        Duration target = settings.duration("admission.delay-target");
        Duration most = settings.duration("admission.delay-max");
        if (most.compareTo(target) < 0) {
            throw new InvalidConfig(
                    "admission.delay-max",
                    settings.text("admission.delay-max"),
                    "at least admission.delay-target = " + target + " is legal");
        }
        Duration ofLeases = settings.duration("admission.critical-delay-max");
        if (ofLeases.compareTo(most) < 0) {
            throw new InvalidConfig(
                    "admission.critical-delay-max",
                    settings.text("admission.critical-delay-max"),
                    "at least admission.delay-max = " + most + " is legal");
        }
        return new AdmissionTerms(
                Stream.of(AdmissionMode.values())
                        .filter(each -> each.toString().equals(mode))
                        .findFirst()
                        .orElseThrow(
                                () -> new InvalidConfig("admission.mode", mode, "off, observe and enforce are legal")),
                target,
                most,
                ofLeases,
                settings.count("rpc.calls"));
    }

    private static LeaseTerms lease(Settings settings) {
        Duration least = settings.duration("lease.min");
        Duration most = settings.duration("lease.max");
        if (least.compareTo(most) > 0) {
            throw new InvalidConfig(
                    "lease.min", settings.text("lease.min"), "at most lease.max = " + most + " is legal");
        }
        Duration usual = settings.duration("lease.default");
        if (usual.compareTo(least) < 0 || usual.compareTo(most) > 0) {
            throw new InvalidConfig(
                    "lease.default",
                    settings.text("lease.default"),
                    "lease.min = " + least + " to lease.max = " + most + " is legal");
        }
        return new LeaseTerms(
                usual, least, most, settings.duration("lease.tombstone"), settings.duration("lease.operator-status"));
    }

    /** The same, with another data directory. */
    public NodeConfig withDataDirectory(Path newDirectory) {
        return new NodeConfig(
                id,
                listen,
                advertise,
                newDirectory,
                locality,
                drain,
                cluster,
                joining,
                lease,
                ontologies,
                watches,
                limits,
                rpc,
                admission,
                quotas);
    }
}
