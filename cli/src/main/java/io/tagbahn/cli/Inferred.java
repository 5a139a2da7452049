// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.cli.Discovery.Found;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Instance;
import io.tagbahn.model.Match;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.TagIndex;
import java.util.List;
import java.util.Map;

/** The thesis's flow: fetch all tags, infer which of them answer, ask who carries those. */
final class Inferred {

    private Inferred() {}

    static Discovery here(RegistryClient client, Closure closure, MatchQuery query) {
        NamesPage names = client.allNames();
        TagIndex index =
                TagIndex.of(closure, names.names().stream().map(Tag::parse).toList());
        MatchResult result = index.match(query);
        List<String> tags = result.matches().stream().map(Match::tag).toList();
        if (tags.isEmpty()) {
            return new Discovery(List.of(), names.degraded(), result.diagnostics());
        }
        TagPeers peers;
        try {
            peers = client.tagDiscover(tags);
        } catch (NoPeersAvailable e) {
            return new Discovery(List.of(), names.degraded(), result.diagnostics());
        }
        Map<String, List<Instance>> byTag = peers.instances();
        List<Found> found = result.matches().stream()
                .filter(match -> byTag.containsKey(match.tag()))
                .map(match -> new Found(match, byTag.getOrDefault(match.tag(), List.of())))
                .toList();
        return new Discovery(found, names.degraded() || peers.degraded(), result.diagnostics());
    }
}
