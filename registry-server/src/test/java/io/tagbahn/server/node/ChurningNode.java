// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.RegisterQuery;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * A process with a small heap and a node that sees many short-lived services, half of which deregister and half of which
 * just end. Says what it holds: {@code before BYTES} and {@code after BYTES ENTRIES}.
 */
final class ChurningNode {

    private static final int SERVICES = 100_000;
    private static final int BATCH = 1_000;

    private ChurningNode() {}

    /** @param args the data directory */
    public static void main(String[] args) throws InterruptedException {
        PrintStream out = System.out;
        NodeConfig config = NodeConfig.parse(Map.of(
                "node.listen", "127.0.0.1:0",
                "node.data-dir", args[0],
                "lease.min", "200ms",
                "lease.default", "1s"));
        try (Node node = Node.start(config);
                TestingCaller caller = new TestingCaller(node.address())) {
            churn(caller, 0, 2 * BATCH); // classes are loaded and buffers made by what comes first
            out.println("before " + heapBytes(caller));
            churn(caller, 2 * BATCH, SERVICES);
            out.println("after " + heapBytes(caller) + " "
                    + caller.allNames(100_000).size());
        }
    }

    private static void churn(TestingCaller caller, int from, int to) {
        for (int i = from; i < to; i++) {
            Instance instance = TestingCaller.instance("instance-" + i, "service-" + i, "10.0.0.1", 80);
            caller.register(new RegisterQuery(instance, List.of("http://example.org/tag/" + i)).setLeaseMillis(200));
            if (i % 2 == 0) {
                caller.deregister("instance-" + i, 0);
            }
        }
    }

    private static long heapBytes(TestingCaller caller) throws InterruptedException {
        while (caller.status().getTags() > 0) {
            Thread.onSpinWait();
        }
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
