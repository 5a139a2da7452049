// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Locality;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.semantics.MatchQuery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One node of the registry, as it can be called for what tags mean; in all else as a {@link RegistryNode}. */
interface MeaningNode {

    CompletionStage<SemanticAnswer> semanticDiscover(MatchQuery query, Optional<Locality> near, CallContext context);

    /** @param wait for a change where there is none */
    CompletionStage<CatalogPage> catalog(Optional<String> token, Duration wait, CallContext context);

    /** @param token of the answer that the caller has */
    CompletionStage<Watched> watch(WatchedTarget target, Optional<String> token, Duration wait, CallContext context);

    CompletionStage<OntologyReceipt> putOntology(OntologyFile file, boolean dryRun, CallContext context);

    CompletionStage<OntologyDocument> getOntology(Iri iri, CallContext context);

    CompletionStage<List<OntologyInfo>> listOntologies(CallContext context);

    CompletionStage<Void> removeOntology(Iri iri, CallContext context);
}
