// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Freshness;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A question of discovery, to which answers are kept.
 *
 * @param <A> its answers
 */
sealed interface Question<A> {

    CompletionStage<A> ask(RegistryNode node, CallContext context);

    boolean isDegraded(A answer);

    /** The instances in it, under what they are found. */
    Map<String, List<Instance>> instances(A answer);

    /** An answer and what another one has besides; its instances as the first has them, where both do. */
    A united(A fresh, A kept);

    A aged(A answer, boolean degraded, Freshness freshness);

    /** Who is called so. */
    record Named(ServiceName name) implements Question<ServicePeers> {
        @Override
        public CompletionStage<ServicePeers> ask(RegistryNode node, CallContext context) {
            return node.discover(name, context);
        }

        @Override
        public boolean isDegraded(ServicePeers answer) {
            return answer.degraded();
        }

        @Override
        public Map<String, List<Instance>> instances(ServicePeers answer) {
            return Map.of(name.value(), answer.instances());
        }

        @Override
        public ServicePeers united(ServicePeers fresh, ServicePeers kept) {
            return new ServicePeers(Question.united(fresh.instances(), kept.instances()), true);
        }

        @Override
        public ServicePeers aged(ServicePeers answer, boolean degraded, Freshness freshness) {
            return new ServicePeers(answer.instances(), degraded, freshness);
        }
    }

    /** Who carries these tags, as they are spelt. */
    record Tagged(List<String> tags) implements Question<TagPeers> {

        public Tagged {
            tags = List.copyOf(tags);
        }

        @Override
        public CompletionStage<TagPeers> ask(RegistryNode node, CallContext context) {
            return node.tagDiscover(tags, context);
        }

        @Override
        public boolean isDegraded(TagPeers answer) {
            return answer.degraded();
        }

        @Override
        public Map<String, List<Instance>> instances(TagPeers answer) {
            return answer.instances();
        }

        @Override
        public TagPeers united(TagPeers fresh, TagPeers kept) {
            Map<String, List<Instance>> all = new LinkedHashMap<>(kept.instances());
            fresh.instances()
                    .forEach((tag, instances) -> all.put(
                            tag, Question.united(instances, kept.instances().getOrDefault(tag, List.of()))));
            return new TagPeers(all, true);
        }

        @Override
        public TagPeers aged(TagPeers answer, boolean degraded, Freshness freshness) {
            return new TagPeers(answer.instances(), degraded, freshness);
        }
    }

    /** Who is meant. */
    record Meant(MatchQuery query, Optional<Locality> near) implements Question<SemanticAnswer> {
        @Override
        public CompletionStage<SemanticAnswer> ask(RegistryNode node, CallContext context) {
            return node.meaning().semanticDiscover(query, near, context);
        }

        @Override
        public boolean isDegraded(SemanticAnswer answer) {
            return answer.degraded();
        }

        @Override
        public Map<String, List<Instance>> instances(SemanticAnswer answer) {
            return answer.matches().stream()
                    .collect(Collectors.toMap(SemanticMatch::tag, SemanticMatch::instances, (one, other) -> one));
        }

        @Override
        public SemanticAnswer united(SemanticAnswer fresh, SemanticAnswer kept) {
            Map<String, SemanticMatch> all = new LinkedHashMap<>();
            fresh.matches().forEach(match -> all.put(match.tag(), match));
            kept.matches()
                    .forEach(match -> all.merge(
                            match.tag(),
                            match,
                            (one, other) -> new SemanticMatch(
                                    one.tag(),
                                    one.degree(),
                                    one.distance(),
                                    one.explanation(),
                                    Question.united(one.instances(), other.instances()))));
            List<SemanticMatch> bestFirst = all.values().stream()
                    .sorted(Comparator.comparing(SemanticMatch::degree)
                            .thenComparingInt(SemanticMatch::distance)
                            .thenComparing(SemanticMatch::tag))
                    .limit(query.limit())
                    .toList();
            return new SemanticAnswer(bestFirst, fresh.ontologyVersion(), true, fresh.diagnostics());
        }

        @Override
        public SemanticAnswer aged(SemanticAnswer answer, boolean degraded, Freshness freshness) {
            return answer.aged(degraded, freshness);
        }
    }

    private static List<Instance> united(List<Instance> fresh, List<Instance> kept) {
        List<Instance> all = new ArrayList<>(fresh);
        Set<InstanceId> known = fresh.stream().map(Instance::id).collect(Collectors.toCollection(HashSet::new));
        kept.stream().filter(instance -> known.add(instance.id())).forEach(all::add);
        return all;
    }

    /** Whether an answer names every instance that another one does, under the same. */
    default boolean covers(A fresh, A kept) {
        Map<String, List<Instance>> there = instances(fresh);
        return instances(kept).entrySet().stream().allMatch(entry -> {
            Set<InstanceId> ids = there.getOrDefault(entry.getKey(), List.of()).stream()
                    .map(Instance::id)
                    .collect(Collectors.toSet());
            return entry.getValue().stream().map(Instance::id).allMatch(ids::contains);
        });
    }

    default boolean isEmpty(A answer) {
        return instances(answer).values().stream().allMatch(List::isEmpty);
    }

    /** About how much memory question and answer take. */
    default long bytes(A answer) {
        return instances(answer).entrySet().stream()
                        .mapToLong(entry -> PER_TAG_BYTES
                                + 2L * entry.getKey().length()
                                + PER_INSTANCE_BYTES * entry.getValue().size())
                        .sum()
                + PER_TAG_BYTES;
    }

    /** With its id, name, address, places and a few words of metadata. */
    long PER_INSTANCE_BYTES = 768;

    long PER_TAG_BYTES = 256;
}
