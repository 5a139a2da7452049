// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.server.node.NodeConfig;
import io.tagbahn.server.security.KeyFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tagbahn keys}. */
@Command(
        name = "keys",
        description = {
            "Makes and changes the keys by which the nodes of a cluster know each other and talk encrypted.",
            "",
            "init makes DIR: keys for every node in DIR/every-node or, with --node, keys for each node in"
                    + " DIR/nodes/ID, and DIR/authority, which no node needs: keep it where no node is.",
            "add makes keys for one more node.",
            "rotate changes all keys, in three steps, one at each call; it says what to hand out before the next. Nodes"
                    + " take up new files by themselves within seconds."
        },
        footer = {
            "",
            "Examples:",
            "  tagbahn keys init keys",
            "  tagbahn serve --listen 0.0.0.0:21300 --keys keys/every-node",
            "  tagbahn keys rotate keys"
        })
final class KeysCommand implements Callable<Integer> {

    /** What is to be done. */
    enum Action {
        INIT,
        ADD,
        ROTATE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Environment environment;

    @Parameters(index = "0", paramLabel = "init|add|rotate", description = "What to do.")
    private @Nullable Action action;

    @Parameters(index = "1", paramLabel = "DIR", description = "The folder of the keys.")
    private @Nullable Path folder;

    @Option(
            names = "--node",
            paramLabel = "ID",
            description = "A node that gets a certificate of its own. Repeatable. Default: one certificate for all.")
    private List<String> nodes = new ArrayList<>();

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "With init: name of the cluster (cluster.name). Default: tagbahn.")
    private @Nullable String cluster;

    KeysCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Action what = action;
        Path keys = folder;
        if (what == null || keys == null) {
            throw new UsageError("what to do, and the folder of the keys, are needed");
        }
        for (String node : nodes) {
            NodeConfig.parse(Map.of("node.id", node)); // refused here rather than by the node
        }
        if (cluster != null && what != Action.INIT) {
            throw new UsageError("--cluster belongs to 'keys init'");
        }
        try {
            switch (what) {
                case INIT -> init(keys);
                case ADD -> add(open(keys));
                case ROTATE -> rotate(open(keys));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("keys in " + keys + ": " + e.getMessage(), e);
        }
        return ExitCode.DONE;
    }

    private void init(Path keys) throws IOException {
        String name = cluster == null ? NodeConfig.defaults().cluster().name() : cluster;
        NodeConfig.parse(Map.of("cluster.name", name));
        try {
            handOut(KeyFolder.create(keys, name, nodes, new SecureRandom()));
        } catch (FileAlreadyExistsException e) {
            throw new UsageError(keys + " holds keys; 'tagbahn keys rotate' changes them");
        }
    }

    private void add(KeyFolder keys) throws IOException {
        if (nodes.isEmpty()) {
            environment.out().line(keys.add(Optional.empty()).toString());
        }
        for (String node : nodes) {
            environment.out().line(keys.add(Optional.of(node)).toString());
        }
    }

    private void rotate(KeyFolder keys) throws IOException {
        if (!nodes.isEmpty()) {
            throw new UsageError("all keys are changed together, not those of one node: leave out --node");
        }
        KeyFolder.Step done = keys.rotate();
        handOut(keys);
        environment.say(
                switch (done) {
                    case ADDED ->
                        "step 1 of 3: nodes will know the new keys and use the old ones. When all nodes have these files,"
                                + " run it again";
                    case SWITCHED ->
                        "step 2 of 3: nodes will use the new keys and know the old ones. When all nodes have these files,"
                                + " run it again";
                    case AT_REST ->
                        "step 3 of 3: nodes will know the new keys only. When all nodes have these files, it is done";
                });
    }

    private void handOut(KeyFolder keys) throws IOException {
        for (Path each : keys.handedOut()) {
            environment.out().line(each.toString());
        }
    }

    private static KeyFolder open(Path keys) throws IOException {
        try {
            return KeyFolder.open(keys, new SecureRandom());
        } catch (NoSuchFileException e) {
            throw new UsageError(keys + " holds no keys; 'tagbahn keys init " + keys + "' makes some");
        }
    }

    /** The keys in a folder; made there, for every node, where there are none. */
    static KeyFolder openedOrMade(Path keys) {
        try {
            return Files.exists(keys)
                    ? open(keys)
                    : KeyFolder.create(keys, NodeConfig.defaults().cluster().name(), List.of(), new SecureRandom());
        } catch (IOException e) {
            throw new UncheckedIOException("keys in " + keys + ": " + e.getMessage(), e);
        }
    }
}
