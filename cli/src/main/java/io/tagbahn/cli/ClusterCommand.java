// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.bench.chaos.NodeOrder;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import io.tagbahn.model.RegistryException;
import io.tagbahn.server.node.NodeConfig;
import io.tagbahn.server.security.KeyFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tagbahn cluster}. */
@Command(
        name = "cluster",
        description =
                "Runs a cluster on this machine, each node in a process of its own, until SIGTERM or SIGINT, which"
                        + " ends them one after the other. Prints a line 'node ID PID HOST:PORT' for each, and a line"
                        + " 'ready HOST:PORT,...' when all see all. A node that dies is reported and not replaced.",
        footer = {
            "",
            "A node takes its port and the one above it.",
            "",
            "Example:",
            "  tagbahn cluster --nodes 3 --data-dir nodes",
            "  tagbahn cluster --nodes 3 --keys keys"
        })
final class ClusterCommand implements Callable<Integer> {

    private static final int NODES_MAX = 200;
    private static final int PORT_STEP = 10;
    private static final int PORT_MAX = 65_534;
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration READY_MAX = Duration.ofMinutes(3);

    /** Above what a node takes at most to hand over and to leave. */
    private static final Duration STOP_MAX = Duration.ofSeconds(50);

    /**
     * Ctrl-C reaches all processes of a terminal at once: nodes that left all together could not hand over. They are told
     * to end by this command, one after the other.
     */
    private static final List<String> DEAF_TO_INTERRUPTS =
            List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "tagbahn");

    private final Environment environment;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<HostPort> addresses = new ArrayList<>();
    private final Set<String> reported = new HashSet<>();

    @Option(names = "--nodes", paramLabel = "N", required = true, description = "How many.")
    private int count;

    @Option(names = "--replicas", paramLabel = "K", description = "Nodes that hold each entry. Default: 3.")
    private @Nullable String replicas;

    @Option(
            names = "--base-port",
            paramLabel = "P",
            defaultValue = "21300",
            description = "Port of the first node; the next ones are P+10, P+20 and so on. Default: 21300.")
    private int basePort;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "For what outlives the processes, a folder for each node. Default: a temporary one.")
    private @Nullable Path directory;

    @Option(
            names = "--keys",
            paramLabel = "DIR",
            description =
                    "Have the nodes talk to each other encrypted, with the keys in this folder; they are made where"
                            + " it isn't there (see 'tagbahn keys').")
    private @Nullable Path keys;

    ClusterCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        check();
        environment.stop().heed();
        Path named = directory;
        Path data = named == null ? NodeSettings.fresh() : named;
        boolean inOrder = false;
        try {
            int exitCode = run(data);
            inOrder = exitCode == ExitCode.DONE;
            return exitCode;
        } finally {
            inOrder &= stopAll();
            if (named == null && inOrder) {
                Folders.remove(data);
            }
        }
    }

    private void check() {
        if (count < 1 || count > NODES_MAX) {
            throw new UsageError("--nodes " + count + " is not within 1.." + NODES_MAX);
        }
        long last = basePort + (long) PORT_STEP * (count - 1);
        if (basePort < 1 || last > PORT_MAX) {
            throw new UsageError(
                    "--base-port " + basePort + ": the ports of " + count + " nodes do not lie within 1.." + PORT_MAX);
        }
        if (replicas != null) {
            NodeConfig.parse(Map.of("cluster.replicas", replicas));
        }
    }

    private int run(Path data) {
        Optional<KeyFolder> folder = Optional.ofNullable(keys).map(KeysCommand::openedOrMade);
        for (int i = 0; i < count; i++) {
            HostPort address = HostPort.parse("127.0.0.1:" + (basePort + PORT_STEP * i));
            List<String> options = new ArrayList<>(List.of("--listen", address.toString()));
            if (i > 0) {
                options.addAll(List.of("--seed", addresses.get(0).toString()));
            }
            if (replicas != null) {
                options.addAll(List.of("--replicas", replicas));
            }
            String id = "node-" + (i + 1);
            folder.ifPresent(
                    held -> options.addAll(List.of("--keys", held.of(id).toString())));
            NodeProcess node = NodeProcess.start(
                    new NodeOrder(
                            id,
                            data.resolve(id),
                            DEAF_TO_INTERRUPTS,
                            List.of("-XX:MaxRAMPercentage=" + Math.max(2, 50 / count)),
                            options),
                    environment);
            nodes.add(node);
            addresses.add(address);
            environment.out().line("node " + id + " " + node.pid() + " " + address);
            environment.out().flush();
        }
        if (!awaitAgreement()) {
            return environment.stop().isRaised() ? ExitCode.DONE : ExitCode.UNAVAILABLE;
        }
        environment
                .out()
                .line("ready " + addresses.stream().map(HostPort::toString).collect(Collectors.joining(",")));
        environment.out().flush();
        return watch();
    }

    /** Whether all nodes have come to see all. */
    private boolean awaitAgreement() {
        long endNanos = environment.nanos().getAsLong() + READY_MAX.toNanos();
        List<HostPort> waiting = new ArrayList<>(addresses);
        while (!waiting.isEmpty()) {
            if (environment.stop().await(POLL)) {
                return false;
            }
            if (report()) {
                environment.say("not all nodes have started");
                return false;
            }
            if (environment.nanos().getAsLong() - endNanos > 0) {
                environment.say("the nodes have not found each other within " + READY_MAX.toSeconds() + " s");
                return false;
            }
            if (nodes.stream().allMatch(NodeProcess::isReady)) {
                waiting.removeIf(address -> seesAll(address, count));
            }
        }
        return true;
    }

    /** Whether a node of a cluster of so many sees all of them. */
    static boolean seesAll(HostPort address, int count) {
        try (RegistryClient client = RegistryClient.connect(RegistryOptions.configOf(List.of(address)))) {
            return client.members().stream()
                            .filter(member -> member.state() == MemberState.ALIVE)
                            .count()
                    == count;
        } catch (RegistryException e) {
            return false; // asked again
        }
    }

    /** Tells of nodes that have ended; whether there are any. */
    private boolean report() {
        for (NodeProcess node : nodes) {
            if (!node.isAlive() && !environment.stop().isRaised() && reported.add(node.id())) {
                environment.say(node.end());
            }
        }
        return !reported.isEmpty();
    }

    private int watch() {
        while (!environment.stop().isRaised()) {
            report();
            List<NodeProcess> alive =
                    nodes.stream().filter(NodeProcess::isAlive).toList();
            if (alive.isEmpty()) {
                environment.say("no node is left");
                return ExitCode.UNAVAILABLE;
            }
            environment
                    .stop()
                    .awaitOr(CompletableFuture.anyOf(
                            alive.stream().map(NodeProcess::ended).toArray(CompletableFuture[]::new)));
        }
        return ExitCode.DONE;
    }

    /** One after the other, so that each can hand over to those that are left; whether all ended by themselves. */
    private boolean stopAll() {
        boolean inOrder = true;
        for (int i = nodes.size() - 1; i >= 0; i--) {
            NodeProcess node = nodes.get(i);
            if (!node.stop(STOP_MAX)) {
                environment.say("node " + node.id() + " did not end in " + STOP_MAX.toSeconds() + " s and was killed");
                inOrder = false;
            }
        }
        return inOrder;
    }
}
