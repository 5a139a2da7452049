// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A node in a process of its own, so that its memory can be told from the caller's: says {@code ready HOST:PORT}, answers
 * each line that it reads with the bytes of heap that are in use after a collection, and ends with its input.
 */
final class ClusteredNode {

    private ClusteredNode() {}

    /** @param args the data directory, and settings as {@code key=value} */
    public static void main(String[] args) throws IOException {
        Map<String, String> settings =
                new HashMap<>(Map.of("node.listen", "127.0.0.1:0", "node.data-dir", args[0], "rpc.threads", "2"));
        for (int i = 1; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            settings.put(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        NodeConfig config = NodeConfig.parse(settings);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = System.out;
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        try (Node node = Node.start(config)) {
            out.println("ready " + node.advertised());
            while (lines.readLine() != null) {
                System.gc();
                out.println(memory.getHeapMemoryUsage().getUsed());
            }
        }
    }
}
