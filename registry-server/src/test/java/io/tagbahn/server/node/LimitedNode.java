// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** A process with a node: says {@code ready HOST:PORT}, and ends with its input. */
final class LimitedNode {

    private LimitedNode() {}

    /** @param args settings as {@code key=value} */
    public static void main(String[] args) throws IOException {
        Map<String, String> settings = new HashMap<>();
        for (String each : args) {
            int equals = each.indexOf('=');
            settings.put(each.substring(0, equals), each.substring(equals + 1));
        }
        try (Node node = Node.start(NodeConfig.parse(settings))) {
            System.out.println("ready " + node.advertised());
            int end = System.in.read();
            assert end < 0;
        }
    }
}
