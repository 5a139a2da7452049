// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.ontology;

import io.tagbahn.peer.OntologyHead;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.Ontology;
import io.tagbahn.semantics.OntologyScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The documents of a node at one moment, and what they come to. Immutable.
 *
 * @param heads by IRI, those of removed documents among them
 * @param ontologies what was read of those that are there, by IRI
 * @param digest of all heads
 */
public record OntologySet(
        Map<String, OntologyHead> heads, Map<String, Ontology> ontologies, Closure closure, String digest) {

    static OntologySet empty(OntologyScope scope) {
        return of(Map.of(), Map.of(), Closure.of(List.of(), scope));
    }

    private static OntologySet of(Map<String, OntologyHead> heads, Map<String, Ontology> ontologies, Closure closure) {
        StringBuilder text = new StringBuilder();
        heads.values()
                .forEach(head -> text.append(head.iri())
                        .append(' ')
                        .append(head.version())
                        .append(' ')
                        .append(head.contentHash())
                        .append(' ')
                        .append(head.mediaType())
                        .append('\n'));
        return new OntologySet(heads, ontologies, closure, ContentHash.of(text.toString()));
    }

    /** The ontologies as they would be after a change. */
    Map<String, Ontology> ontologiesAfter(OntologyHead head, Optional<Ontology> ontology) {
        Map<String, Ontology> after = new TreeMap<>(ontologies);
        after.remove(head.iri());
        ontology.ifPresent(read -> after.put(head.iri(), read));
        return after;
    }

    /** This set after changes, of which each stands over what there is of its IRI. */
    OntologySet with(Map<OntologyHead, Optional<Ontology>> changes, OntologyScope scope) {
        Map<String, OntologyHead> newHeads = new TreeMap<>(heads);
        Map<String, Ontology> newOntologies = new TreeMap<>(ontologies);
        changes.forEach((head, ontology) -> {
            newHeads.put(head.iri(), head);
            newOntologies.remove(head.iri());
            ontology.ifPresent(read -> newOntologies.put(head.iri(), read));
        });
        boolean same = hashes(newOntologies).equals(hashes(ontologies));
        return of(newHeads, newOntologies, same ? closure : Closure.of(newOntologies.values(), scope));
    }

    private static Map<String, String> hashes(Map<String, Ontology> ontologies) {
        Map<String, String> hashes = new TreeMap<>();
        ontologies.forEach((iri, ontology) -> hashes.put(iri, ontology.contentHash()));
        return hashes;
    }

    /** Of one IRI; absent where nothing was ever put under it. */
    public Optional<OntologyHead> head(String iri) {
        return Optional.ofNullable(heads.get(iri));
    }

    /** Whether a change is known, or one that stands over it. */
    public boolean has(OntologyHead head) {
        OntologyHead known = heads.get(head.iri());
        return known != null && !head.standsOver(known);
    }

    /** Documents that are there, in the order of their IRIs. */
    public List<OntologyHead> present() {
        List<OntologyHead> present = new ArrayList<>();
        for (OntologyHead head : heads.values()) {
            if (!head.isRemoved()) {
                present.add(head);
            }
        }
        return present;
    }

    long bytes() {
        return heads.values().stream().mapToLong(OntologyHead::bytes).sum();
    }
}
