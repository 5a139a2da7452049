// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.HostPort;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tagbahn serve}. */
@Command(
        name = "serve",
        description = "Runs one node of the registry until SIGTERM or SIGINT, which ends it in order. Prints a line"
                + " 'ready HOST:PORT' when it answers.",
        footer = {
            "",
            "Settings are listed in docs/configuration.md. Options win over --set, --set over the file.",
            "Exits with 2 where a setting is not legal, with 3 where the port or the data directory",
            "cannot be had.",
            "",
            "Examples:",
            "  tagbahn serve --listen 0.0.0.0:21300 --set lease.default=10s",
            "  tagbahn serve --listen 127.0.0.1:21310 --seed 127.0.0.1:21300"
        })
final class ServeCommand implements Callable<Integer> {

    private static final Duration READY_POLL = Duration.ofMillis(20);

    private final Environment environment;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description =
                    "Name of the node, unique in its cluster. Default: chosen at the first start and kept in the data"
                            + " directory.")
    private @Nullable String id;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where the node listens; port 0 takes a free one. Default: 127.0.0.1:21300.")
    private @Nullable String listen;

    @Option(
            names = "--advertise",
            paramLabel = "HOST:PORT",
            description = "Where others reach the node. Default: where it listens.")
    private @Nullable String advertise;

    @Option(
            names = "--seed",
            paramLabel = "HOST:PORT",
            description = "Public address of any other node of the cluster to join. Repeatable. Default: none, and the"
                    + " node is the first of a cluster, or finds the one that it was in.")
    private List<HostPort> seeds = new ArrayList<>();

    @Option(
            names = "--replicas",
            paramLabel = "K",
            description =
                    "Nodes that hold each entry, where the cluster has as many; the same on all nodes. Default: 3.")
    private @Nullable String replicas;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "For what outlives the process. Default: tagbahn/PORT in $XDG_STATE_HOME, or in"
                    + " ~/.local/state.")
    private @Nullable String dataDirectory;

    @Option(
            names = "--keys",
            paramLabel = "DIR",
            description =
                    "Keys by which nodes know each other and talk encrypted (see 'tagbahn keys'). Default: none, which"
                            + " suits the loopback only.")
    private @Nullable String keys;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings, one key=value a line.")
    private @Nullable Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One setting. Repeatable.")
    private List<String> settings = new ArrayList<>();

    ServeCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        NodeConfig config = NodeSettings.read(file, settings, options(), environment);
        environment.stop().heed();
        try (Node node = Node.start(config)) {
            // One that joins others answers once it holds what it owns.
            while (!node.status().ready()) {
                if (environment.stop().await(READY_POLL)) {
                    return ExitCode.DONE;
                }
            }
            environment.out().line("ready " + node.advertised());
            environment.out().flush();
            environment.stop().await();
        }
        return ExitCode.DONE;
    }

    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        put(options, "node.id", id);
        put(options, "node.listen", listen);
        put(options, "node.advertise", advertise);
        if (!seeds.isEmpty()) {
            options.put("cluster.seeds", seeds.stream().map(HostPort::toString).collect(Collectors.joining(",")));
        }
        put(options, "cluster.replicas", replicas);
        put(options, "cluster.keys-dir", keys);
        put(options, NodeSettings.DATA_DIRECTORY, dataDirectory);
        return options;
    }

    private static void put(Map<String, String> options, String key, @Nullable String value) {
        if (value != null) {
            options.put(key, value);
        }
    }
}
