// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import java.util.List;

/**
 * A small service that registers and discovers, in a process of its own. Arguments: the registry, and {@code exit} or
 * {@code wait}.
 */
final class WithoutJena {

    private WithoutJena() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            throw new AssertionError("Jena is here: " + Class.forName("org.apache.jena.graph.Node"));
        } catch (ClassNotFoundException e) {
            System.out.println("without Jena: " + e.getMessage());
        }
        RegistryClient registry =
                RegistryClient.connect(TestNodes.patient(arguments[0])).closeOnShutdown();
        String tag = "http://example.org/obras#Livro";
        Registration registration = registry.register("books", "10.0.0.5:8080", tag);
        List<Instance> byName = registry.discover("books").instances();
        List<Instance> byTag = registry.tagDiscover(tag).instances().getOrDefault(tag, List.of());
        if (!byName.equals(byTag) || !byName.contains(registration.instance())) {
            throw new AssertionError(byName + " by name, " + byTag + " by tag");
        }
        System.out.println("registered");
        if (arguments[1].equals("wait")) {
            Thread.currentThread().join();
        }
        System.exit(0);
    }
}
