// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The program of a node in a process of its own that tells more of itself than nodes tell anybody: says {@code ready
 * HOST:PORT}, answers each line that it reads, and ends with its input.
 */
final class ClusteredNode {

    /** Asks for the bytes of heap that are in use after a collection. */
    static final String HEAP = "heap";

    /** Asks for all counters, as {@code name=count} with blanks between. */
    static final String COUNTERS = "counters";

    private ClusteredNode() {}

    /** @param args the data directory, and settings as {@code key=value} */
    public static void main(String[] args) throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of("node.listen", "127.0.0.1:0", "node.data-dir", args[0]));
        for (int i = 1; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            settings.put(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        try (Node node = Node.start(NodeConfig.parse(settings));
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready " + node.advertised());
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line.equals(COUNTERS) ? counters(node) : heapBytes());
            }
        }
    }

    private static String counters(Node node) {
        return node.counters().join().entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String heapBytes() {
        System.gc();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return Long.toString(memory.getHeapMemoryUsage().getUsed());
    }
}
