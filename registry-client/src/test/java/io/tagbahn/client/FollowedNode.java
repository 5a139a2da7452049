// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Locality;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.MatchQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A node at which something changes with every call, in virtual time. */
final class FollowedNode implements MeaningNode {

    private final SteppedTimer timer;
    /** When each call came. */
    final List<Duration> calls = new ArrayList<>();

    /** The tokens that callers showed. */
    final List<Optional<String>> tokens = new ArrayList<>();

    Duration answersAfter = Duration.ZERO;
    Optional<RegistryException> failure = Optional.empty();

    FollowedNode(SteppedTimer timer) {
        this.timer = timer;
    }

    @Override
    public CompletionStage<Watched> watch(
            WatchedTarget target, Optional<String> token, Duration wait, CallContext context) {
        return answer(
                token,
                () -> new Watched("w" + calls.size(), Optional.of(new TagPeers(Map.of(), false)), Optional.empty()));
    }

    /** Each page brings an entry of its own. */
    @Override
    public CompletionStage<CatalogPage> catalog(Optional<String> token, Duration wait, CallContext context) {
        return answer(
                token,
                () -> new CatalogPage(
                        List.of("e" + calls.size()), List.of(), "c" + calls.size(), false, token.isEmpty()));
    }

    private <T> CompletionStage<T> answer(Optional<String> token, Supplier<T> answer) {
        calls.add(timer.elapsed());
        tokens.add(token);
        CompletableFuture<T> given = new CompletableFuture<>();
        timer.after(
                answersAfter,
                () -> failure.ifPresentOrElse(given::completeExceptionally, () -> given.complete(answer.get())));
        return given;
    }

    @Override
    public CompletionStage<SemanticAnswer> semanticDiscover(
            MatchQuery query, Optional<Locality> near, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<OntologyReceipt> putOntology(OntologyFile file, boolean dryRun, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<OntologyDocument> getOntology(Iri iri, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<OntologyInfo>> listOntologies(CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> removeOntology(Iri iri, CallContext context) {
        throw new UnsupportedOperationException();
    }
}
