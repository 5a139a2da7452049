// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.edge.Answer;
import io.tagbahn.server.service.FoundByMeaning;
import io.tagbahn.server.service.MeaningService;
import io.tagbahn.server.service.OntologyPut;
import io.tagbahn.server.service.OntologyService;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.OntologyQuery;
import io.tagbahn.thrift.PutOntologyQuery;
import io.tagbahn.thrift.SemanticMatch;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.SemanticResult;
import io.tagbahn.wire.WireMeaning;
import io.tagbahn.wire.WireOntology;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The methods of the Thrift API that are about what tags mean. */
public final class MeaningEdge {

    private final MeaningService meaning;
    private final OntologyService ontologies;
    private final FrontDoor door;

    private MeaningEdge(MeaningService meaning, OntologyService ontologies, FrontDoor door) {
        this.meaning = meaning;
        this.ontologies = ontologies;
        this.door = door;
    }

    /** @param door that has let the calls in */
    public static RpcService serviceOf(MeaningService meaning, OntologyService ontologies, FrontDoor door) {
        MeaningEdge edge = new MeaningEdge(meaning, ontologies, door);
        RpcService.Builder service = RpcService.builder();
        edge.addQueries(service);
        edge.addOntologies(service);
        return service.build();
    }

    private void addQueries(RpcService.Builder service) {
        service.method(
                "semanticDiscover",
                Discovery.semanticDiscover_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.semanticDiscover_result(),
                        () -> semanticDiscover(arguments.getQuery(), call),
                        Discovery.semanticDiscover_result::setSuccess));
    }

    private void addOntologies(RpcService.Builder service) {
        service.method(
                "putOntology",
                Discovery.putOntology_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.putOntology_result(),
                        () -> put(arguments.getQuery(), call).thenApply(WireOntology::toWire),
                        Discovery.putOntology_result::setSuccess));
        service.method(
                "getOntology",
                Discovery.getOntology_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.getOntology_result(),
                        () -> get(arguments.getQuery(), call),
                        Discovery.getOntology_result::setSuccess));
        service.method(
                "listOntologies",
                Discovery.listOntologies_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.listOntologies_result(),
                        () -> ontologies
                                .list(context(arguments.getContext(), call))
                                .thenApply(all ->
                                        all.stream().map(WireOntology::toWire).toList()),
                        Discovery.listOntologies_result::setSuccess));
        service.method(
                "removeOntology",
                Discovery.removeOntology_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.removeOntology_result(),
                        () -> ontologies.remove(
                                WireOntology.iri(arguments.getQuery().getIri()),
                                context(arguments.getQuery().getContext(), call)),
                        (result, done) -> {}));
    }

    private CompletionStage<SemanticResult> semanticDiscover(SemanticQuery wire, RpcCall call) {
        MatchQuery query = WireMeaning.fromWire(wire);
        return meaning.semanticDiscover(query, WireMeaning.near(wire), context(wire.getContext(), call))
                .thenApply(found -> toWire(found, query.explain()));
    }

    static SemanticResult toWire(FoundByMeaning found, boolean explained) {
        List<SemanticMatch> matches = new ArrayList<>(found.found().size());
        for (FoundByMeaning.Found each : found.found()) {
            matches.add(WireMeaning.toWire(each.match(), ThriftEdge.peers(each.peers()), explained));
        }
        SemanticResult result = new SemanticResult(matches, found.ontologyVersion());
        if (found.degraded()) {
            result.setDegraded(true);
        }
        if (!found.diagnostics().isEmpty()) {
            result.setDiagnostics(found.diagnostics());
        }
        return result;
    }

    private CompletionStage<OntologyReceipt> put(PutOntologyQuery query, RpcCall call) {
        OntologyPut put = new OntologyPut(
                WireOntology.iri(query.getIri()),
                ByteBuffer.wrap(query.getDocument()),
                query.getMediaType(),
                Optional.ofNullable(query.getContentEncoding()),
                query.isSetDryRun() && query.isDryRun());
        return ontologies.put(put, context(query.getContext(), call));
    }

    private CompletionStage<io.tagbahn.thrift.OntologyDocument> get(OntologyQuery query, RpcCall call) {
        Optional<String> encoding = Optional.ofNullable(query.getAcceptEncoding());
        if (encoding.filter(name -> !name.equals("gzip")).isPresent()) {
            throw new InvalidArgument("acceptEncoding", "'" + encoding.get() + "' is not gzip");
        }
        return ontologies
                .get(WireOntology.iri(query.getIri()), encoding.isPresent(), context(query.getContext(), call))
                .thenApply(packed -> {
                    OntologyDocument document = packed.document();
                    io.tagbahn.thrift.OntologyDocument wire = new io.tagbahn.thrift.OntologyDocument(
                            WireOntology.toWire(document.info()),
                            ByteBuffer.wrap(document.document()),
                            document.mediaType());
                    packed.contentEncoding().ifPresent(wire::setContentEncoding);
                    return wire;
                });
    }

    private CallContext context(io.tagbahn.thrift.@Nullable CallContext wire, RpcCall call) {
        return door.admitted(wire, call);
    }
}
