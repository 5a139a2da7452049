// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.SemanticAnswer;
import io.tagbahn.client.Watch;
import io.tagbahn.client.WatchListener;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hosts that the registry tells of: a watch, so that the list is fresh without a call for each change or each hit. */
final class RegistryFeed implements HostFeed {

    private static final Logger log = LoggerFactory.getLogger(RegistryFeed.class);

    private final RegistryClient registry;
    private final CallTarget target;
    private volatile boolean told;
    private @Nullable Watch watch;

    RegistryFeed(RegistryClient registry, CallTarget target) {
        this.registry = registry;
        this.target = target;
    }

    @Override
    public synchronized void start(Sink sink) {
        if (target instanceof CallTarget.Named named) {
            watch = tags(List.of(named.name().toString()), sink);
        } else if (target instanceof CallTarget.Tagged tagged) {
            watch = tags(tagged.tags(), sink);
        } else if (target instanceof CallTarget.Meant meant) {
            watch = meaning(meant.query(), sink);
        }
    }

    private Watch tags(List<String> tags, Sink sink) {
        return registry.watch(
                tags,
                listener(sink, RegistryFeed::instances, TagPeers::degraded, () -> registry.tagDiscoverAsync(tags)));
    }

    private Watch meaning(MatchQuery query, Sink sink) {
        return registry.watch(
                query,
                Optional.empty(),
                listener(
                        sink,
                        RegistryFeed::instances,
                        SemanticAnswer::degraded,
                        () -> registry.semanticDiscoverAsync(query, Optional.empty())));
    }

    /** How an answer is read. */
    private interface Reading<A, R> {
        R of(A answer);
    }

    private <A> WatchListener<A> listener(
            Sink sink,
            Reading<A, Collection<Instance>> instances,
            Reading<A, Boolean> degraded,
            Supplier<CompletionStage<A>> asking) {
        return new WatchListener<>() {
            @Override
            public void changed(A answer) {
                told = true;
                sink.listed(instances.of(answer), !degraded.of(answer));
            }

            @Override
            public void failed(RegistryException error) {
                log.debug("hosts of {} can't be asked for at the moment: {}", target, error.getMessage());
                if (told) {
                    return; // the last list stands
                }
                // The client may hold an answer from before.
                asking.get().thenAccept(answer -> {
                    if (!told) {
                        sink.listed(instances.of(answer), false);
                    }
                });
            }
        };
    }

    private static Collection<Instance> instances(TagPeers peers) {
        return distinct(peers.instances().values());
    }

    private static Collection<Instance> instances(SemanticAnswer answer) {
        return distinct(
                answer.matches().stream().map(match -> match.instances()).toList());
    }

    private static Collection<Instance> distinct(Collection<List<Instance>> lists) {
        Map<InstanceId, Instance> byId = new LinkedHashMap<>();
        lists.forEach(list -> list.forEach(instance -> byId.putIfAbsent(instance.id(), instance)));
        return byId.values();
    }

    @Override
    public synchronized void close() {
        Watch running = watch;
        if (running != null) {
            running.close();
        }
    }
}
