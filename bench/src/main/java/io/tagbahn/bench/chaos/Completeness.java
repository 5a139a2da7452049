// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Whether a node finds all that is registered. */
final class Completeness {

    private static final int TRIES = 20;
    private static final Duration PAUSE = Duration.ofMillis(250);

    private Completeness() {}

    /** Tags that the node doesn't find, or not as they are registered. A call that fails is made again. */
    static int missing(ProcessNode node, Fleet fleet, Consumer<String> progress) {
        List<String> tags = fleet.tags();
        try (RegistryClient client = node.client()) {
            for (int tried = 0; tried < TRIES; tried++) {
                try {
                    return count(client.tagDiscover(tags), fleet);
                } catch (RegistryException e) {
                    progress.accept(node.id() + ", asked for all tags: " + e);
                    Waiting.pause(PAUSE);
                }
            }
        }
        return tags.size();
    }

    private static int count(TagPeers found, Fleet fleet) {
        int missing = 0;
        for (String tag : fleet.tags()) {
            List<Instance> instances = found.instances().getOrDefault(tag, List.of());
            boolean right = instances.size() == 1
                    && instances
                            .get(0)
                            .id()
                            .value()
                            .equals(fleet.instanceByTag().get(tag));
            missing += right ? 0 : 1;
        }
        return missing;
    }
}
