// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.OntologyEffect;
import io.tagbahn.model.Tag;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.ClosureChange;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.EntryPage;
import io.tagbahn.server.ontology.OntologyDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a document would change for the tags that are registered, and what is odd about it; looks and changes nothing. */
final class OntologyReview {

    private static final Logger log = LoggerFactory.getLogger(OntologyReview.class);
    private static final int PAGE_ENTRIES = 10_000;

    /** Terms of tags that no ontology knows, of which some are told. */
    private static final int UNKNOWN_TERMS_MAX = 10;

    private final Cluster cluster;
    private final OntologyDraft draft;
    private final long deadlineNanos;
    private final TreeSet<String> unknown = new TreeSet<>();
    private OntologyEffect effect = OntologyEffect.NONE;
    private int tagsUnknown;
    private boolean degraded;

    /** What was found. */
    record Review(List<String> warnings, OntologyEffect effect) {}

    OntologyReview(Cluster cluster, OntologyDraft draft, long deadlineNanos) {
        this.cluster = cluster;
        this.draft = draft;
        this.deadlineNanos = deadlineNanos;
    }

    /** @param withEffect whether to compare, besides looking for what is odd */
    CompletionStage<Review> look(boolean withEffect) {
        return pages(Optional.empty(), withEffect).handle((done, error) -> {
            if (error != null) {
                log.info("the registered tags could not be looked at: {}", error.toString());
                degraded = true;
            }
            return new Review(warnings(), effect);
        });
    }

    private CompletionStage<Void> pages(Optional<String> after, boolean withEffect) {
        return cluster.list("", after, PAGE_ENTRIES, deadlineNanos)
                .thenCompose(page -> cluster.meaning()
                        .shelf()
                        .submit(() -> {
                            look(page, withEffect);
                            return page;
                        })
                        .thenCompose(seen -> seen.more() && !seen.entries().isEmpty()
                                ? pages(
                                        Optional.of(seen.entries()
                                                .get(seen.entries().size() - 1)),
                                        withEffect)
                                : CompletableFuture.completedFuture(null)));
    }

    private void look(EntryPage page, boolean withEffect) {
        degraded |= page.degraded();
        List<Tag> tags = new ArrayList<>(page.entries().size());
        Closure after = draft.after();
        for (String entry : page.entries()) {
            try {
                tags.add(Tag.parse(entry));
            } catch (InvalidArgument e) {
                log.debug("left out an entry that is no tag", e);
            }
        }
        for (Tag tag : tags) {
            List<String> terms = after.unknownTerms(tag);
            tagsUnknown += terms.isEmpty() ? 0 : 1;
            if (unknown.size() <= UNKNOWN_TERMS_MAX) {
                unknown.addAll(terms);
            }
        }
        if (withEffect) {
            effect = effect.plus(
                    ClosureChange.between(draft.before(), after, tags).effect());
        }
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>(draft.ontology().warnings());
        warnings.addAll(draft.after().warningsAbout(draft.ontology().iri()));
        warnings.addAll(draft.after().oddities(draft.ontology()));
        if (tagsUnknown > 0) {
            List<String> some = unknown.stream().limit(UNKNOWN_TERMS_MAX).toList();
            warnings.add(tagsUnknown + " registered tags use terms that no ontology defines, such as "
                    + String.join(", ", some));
        }
        if (degraded) {
            warnings.add("not all registered tags could be looked at");
        }
        return warnings;
    }
}
