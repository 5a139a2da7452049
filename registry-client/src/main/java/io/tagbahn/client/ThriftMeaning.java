// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Match;
import io.tagbahn.model.OntologyDocument;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.thrift.CatalogQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.OntologyQuery;
import io.tagbahn.thrift.PutOntologyQuery;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.SemanticResult;
import io.tagbahn.thrift.WatchQuery;
import io.tagbahn.thrift.WatchResult;
import io.tagbahn.thrift.WatchTarget;
import io.tagbahn.wire.WireContext;
import io.tagbahn.wire.WireDiscovery;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireMeaning;
import io.tagbahn.wire.WireOntology;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** What tags mean to a node that is called over Thrift. */
final class ThriftMeaning implements MeaningNode {

    private static final String GZIP = "gzip";

    /** Documents above it are sent packed. */
    private static final int PACKED_FROM_BYTES = 64 << 10;

    /** The largest document that a registry could hold. */
    private static final int DOCUMENT_BYTES_MAX = 1 << 30;

    private final ThriftNode node;

    ThriftMeaning(ThriftNode node) {
        this.node = node;
    }

    @Override
    public CompletionStage<SemanticAnswer> semanticDiscover(
            MatchQuery query, Optional<Locality> near, CallContext context) {
        SemanticQuery wire = WireMeaning.toWire(query).setContext(WireContext.toWire(context));
        near.ifPresent(place -> wire.setNear(WireInstance.toWire(place)));
        return node.call(
                "semanticDiscover",
                new Discovery.semanticDiscover_args(wire),
                Discovery.semanticDiscover_result::new,
                context,
                result -> fromWire(ThriftNode.present(result.getSuccess())));
    }

    static SemanticAnswer fromWire(SemanticResult wire) {
        List<SemanticMatch> matches = new ArrayList<>(wire.getMatchesSize());
        wire.getMatches().forEach(each -> {
            Match match = WireMeaning.fromWire(each);
            matches.add(new SemanticMatch(
                    match.tag(),
                    match.degree(),
                    match.distance(),
                    match.explanation(),
                    WireInstance.fromPeers(each.getPeers())));
        });
        return new SemanticAnswer(
                matches,
                wire.getOntologyVersion(),
                wire.isSetDegraded() && wire.isDegraded(),
                wire.isSetDiagnostics() ? wire.getDiagnostics() : List.of());
    }

    @Override
    public CompletionStage<CatalogPage> catalog(Optional<String> token, Duration wait, CallContext context) {
        CatalogQuery query = new CatalogQuery().setWaitMillis(wait.toMillis()).setContext(WireContext.toWire(context));
        token.ifPresent(query::setToken);
        return node.waiting(
                "catalog",
                new Discovery.catalog_args(query),
                Discovery.catalog_result::new,
                context,
                result -> fromWire(ThriftNode.present(result.getSuccess())));
    }

    private static CatalogPage fromWire(io.tagbahn.thrift.CatalogPage wire) {
        return new CatalogPage(wire.getAdded(), wire.getRemoved(), wire.getToken(), wire.isMore(), wire.isReset());
    }

    @Override
    public CompletionStage<Watched> watch(
            WatchedTarget target, Optional<String> token, Duration wait, CallContext context) {
        WatchQuery query =
                new WatchQuery(toWire(target)).setWaitMillis(wait.toMillis()).setContext(WireContext.toWire(context));
        token.ifPresent(query::setToken);
        return node.waiting("watch", new Discovery.watch_args(query), Discovery.watch_result::new, context, result -> {
            WatchResult wire = ThriftNode.present(result.getSuccess());
            return new Watched(
                    wire.getToken(),
                    Optional.ofNullable(wire.getTags()).map(WireDiscovery::fromWire),
                    Optional.ofNullable(wire.getSemantic()).map(ThriftMeaning::fromWire));
        });
    }

    private static WatchTarget toWire(WatchedTarget target) {
        if (target instanceof WatchedTarget.Tags tags) {
            return WatchTarget.serviceTags(tags.tags());
        }
        if (target instanceof WatchedTarget.Meant meant) {
            SemanticQuery wire = WireMeaning.toWire(meant.query());
            meant.near().ifPresent(place -> wire.setNear(WireInstance.toWire(place)));
            return WatchTarget.semantic(wire);
        }
        throw new IllegalArgumentException("no such target: " + target);
    }

    @Override
    public CompletionStage<OntologyReceipt> putOntology(OntologyFile file, boolean dryRun, CallContext context) {
        boolean packed = file.document().length > PACKED_FROM_BYTES;
        PutOntologyQuery query = new PutOntologyQuery(
                        file.iri().value(),
                        ByteBuffer.wrap(packed ? packed(file.document()) : file.document()),
                        file.format().mediaType())
                .setContext(WireContext.toWire(context));
        if (packed) {
            query.setContentEncoding(GZIP);
        }
        if (dryRun) {
            query.setDryRun(true);
        }
        return node.call(
                "putOntology",
                new Discovery.putOntology_args(query),
                Discovery.putOntology_result::new,
                context,
                result -> WireOntology.fromWire(ThriftNode.present(result.getSuccess())));
    }

    @Override
    public CompletionStage<OntologyDocument> getOntology(Iri iri, CallContext context) {
        OntologyQuery query = query(iri, context).setAcceptEncoding(GZIP);
        return node.call(
                "getOntology",
                new Discovery.getOntology_args(query),
                Discovery.getOntology_result::new,
                context,
                result -> {
                    io.tagbahn.thrift.OntologyDocument wire = ThriftNode.present(result.getSuccess());
                    byte[] document = wire.isSetContentEncoding() ? unpacked(wire.getDocument()) : wire.getDocument();
                    return new OntologyDocument(WireOntology.fromWire(wire.getInfo()), document, wire.getMediaType());
                });
    }

    @Override
    public CompletionStage<List<OntologyInfo>> listOntologies(CallContext context) {
        return node.call(
                "listOntologies",
                new Discovery.listOntologies_args(WireContext.toWire(context)),
                Discovery.listOntologies_result::new,
                context,
                result -> ThriftNode.present(result.getSuccess()).stream()
                        .map(WireOntology::fromWire)
                        .toList());
    }

    @Override
    public CompletionStage<Void> removeOntology(Iri iri, CallContext context) {
        return node.done(
                "removeOntology",
                new Discovery.removeOntology_args(query(iri, context)),
                Discovery.removeOntology_result::new,
                context);
    }

    private static OntologyQuery query(Iri iri, CallContext context) {
        return new OntologyQuery(iri.value()).setContext(WireContext.toWire(context));
    }

    private static byte[] packed(byte[] document) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(document.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written anywhere
        }
        return out.toByteArray();
    }

    private static byte[] unpacked(byte[] packed) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readNBytes(DOCUMENT_BYTES_MAX);
        } catch (IOException e) {
            throw new RegistryFault("the registry sent a document that is not packed as it says", e);
        }
    }
}
