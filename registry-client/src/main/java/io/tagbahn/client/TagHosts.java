// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.TagPeers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The hosts of many tags, asked for batch after batch. */
final class TagHosts {

    private final ClientRuntime runtime;
    private final QueryDeadline deadline;

    TagHosts(ClientRuntime runtime, QueryDeadline deadline) {
        this.runtime = runtime;
        this.deadline = deadline;
    }

    /** Tags in parts that fit into one call each. */
    static List<List<String>> parts(ClientRuntime runtime, List<String> tags) {
        return TagParts.splitTexts(
                tags,
                runtime.config().inference().tagsPerCallMax(),
                runtime.config().connection().frameBytesMax());
    }

    CompletableFuture<TagPeers> of(List<String> tags) {
        CompletableFuture<TagPeers> all = CompletableFuture.completedFuture(new TagPeers(Map.of(), false));
        if (tags.isEmpty()) {
            return all;
        }
        for (List<String> batch : parts(runtime, tags)) {
            all = all.thenCompose(before -> batch(batch).thenApply(hosts -> union(before, hosts)));
        }
        return all;
    }

    private CompletableFuture<TagPeers> batch(List<String> tags) {
        return runtime.guard()
                .call(deadline.ofCall(), Criticality.NORMAL, (node, context) -> node.tagDiscover(tags, context))
                .exceptionallyCompose(error -> {
                    Throwable cause = Failures.unwrap(error);
                    if (cause instanceof NoPeersAvailable) {
                        return CompletableFuture.completedFuture(new TagPeers(Map.of(), false));
                    }
                    if (cause instanceof InvalidArgument && tags.size() > 1) {
                        // The tags are the registry's own: it is their number, or the answer's size, that it refuses.
                        List<String> first = tags.subList(0, tags.size() / 2);
                        List<String> second = tags.subList(tags.size() / 2, tags.size());
                        return batch(first)
                                .thenCompose(before -> batch(second).thenApply(hosts -> union(before, hosts)));
                    }
                    return CompletableFuture.failedFuture(cause);
                });
    }

    static TagPeers union(TagPeers one, TagPeers other) {
        Map<String, List<Instance>> instances = new HashMap<>(one.instances());
        instances.putAll(other.instances());
        return new TagPeers(instances, one.degraded() || other.degraded());
    }
}
