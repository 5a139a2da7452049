// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Locality;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.FoundMatches;
import io.tagbahn.server.store.Peer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The front door of a node for what tags mean, beside {@link RegistryService}, through which every call is admitted. */
public final class MeaningService {

    private final RegistryService registry;
    private final Supplier<Cluster> cluster;

    public MeaningService(RegistryService registry, Supplier<Cluster> cluster) {
        this.registry = registry;
        this.cluster = cluster;
    }

    /**
     * The tags that answer a query by meaning, and the instances that may be called.
     *
     * @param near the instances nearest to this place come first
     */
    public CompletionStage<FoundByMeaning> semanticDiscover(
            MatchQuery query, Optional<Locality> near, CallContext context) {
        return registry.read(
                context,
                deadlineNanos -> cluster.get().match(query, deadlineNanos).thenApply(found -> ordered(found, near)));
    }

    static FoundByMeaning ordered(FoundMatches found, Optional<Locality> near) {
        List<FoundByMeaning.Found> matches = new ArrayList<>(found.found().size());
        for (FoundMatches.Found each : found.found()) {
            List<Peer> peers = each.peers();
            if (near.isPresent() && peers.size() > 1) {
                peers = new ArrayList<>(peers);
                peers.sort(Comparator.comparingInt(
                        peer -> near.get().distanceTo(peer.instance().locality())));
            }
            matches.add(new FoundByMeaning.Found(each.match(), peers));
        }
        return new FoundByMeaning(matches, found.ontologyVersion(), found.degraded(), found.diagnostics());
    }
}
