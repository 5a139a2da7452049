// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import com.apicatalog.jsonld.JsonLdError;
import com.apicatalog.jsonld.JsonLdErrorCode;
import com.apicatalog.jsonld.JsonLdOptions;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.lang.LangJSONLD11;
import org.apache.jena.riot.system.ErrorHandler;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.riot.system.stream.StreamManager;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.graph.GraphFactory;

/**
 * The only door through which RDF text comes in.
 *
 * <p>A document is hostile until it was read: it comes as bytes, its syntax is what the caller says and not what it
 * looks like, nothing that it names is fetched or opened, its size, triples, nesting and entities are bounded, and it is
 * taken whole or not at all.
 */
public final class OntologyParser {

    /** Most warnings that are kept of one document. */
    static final int WARNINGS_MAX = 100;

    private final OntologyLimits limits;

    public OntologyParser() {
        this(OntologyLimits.DEFAULT);
    }

    public OntologyParser(OntologyLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads a document.
     *
     * @param iri under which it is put; its relative IRIs are resolved against it
     * @throws InvalidArgument with field {@code document}; the reason begins with line and column where they are known
     */
    public Ontology parse(Iri iri, RdfFormat format, byte[] document) {
        if (document.length > limits.bytesMax()) {
            throw tooLarge();
        }
        try {
            return read(iri, format, document);
        } catch (BadDocument e) {
            throw e.asInvalidArgument();
        }
    }

    /**
     * Reads a document from a stream, and no more of it than the limit; the stream stays open.
     *
     * @throws InvalidArgument as the method above
     * @throws IOException as the stream does
     */
    public Ontology parse(Iri iri, RdfFormat format, InputStream document) throws IOException {
        byte[] bytes = document.readNBytes(limits.bytesMax());
        if (bytes.length == limits.bytesMax() && document.read() >= 0) {
            throw tooLarge();
        }
        return parse(iri, format, bytes);
    }

    private InvalidArgument tooLarge() {
        return new InvalidArgument("document", "larger than " + limits.bytesMax() + " bytes");
    }

    private Ontology read(Iri iri, RdfFormat format, byte[] document) {
        Jena.start();
        String text = harmlessText(format, document);
        RdfTerms terms = new RdfTerms(OntologyLimits.iriCharsMax(text.length()));
        Complaints complaints = new Complaints();
        Sink sink = new Sink(limits.triplesMax(), complaints);
        try {
            RDFParser.create()
                    .source(new StringReader(text))
                    .forceLang(lang(format))
                    .base(iri.value())
                    .resolveURIs(true)
                    .checking(true)
                    .factory(terms)
                    .errorHandler(complaints)
                    .httpClient(Jena.NO_NETWORK)
                    .streamManager(new StreamManager())
                    // Options collect what was loaded: they are made anew for each document.
                    .set(LangJSONLD11.JSONLD_OPTIONS, jsonLdOptions())
                    .build()
                    .parse(sink);
        } catch (RuntimeException e) {
            throw refusal(e, terms, complaints, text);
        }
        return new Ontology(iri, sha256(document), sink.graph, complaints.warnings());
    }

    /** The document's characters, after a look for what Jena's parsers would take, fetch or die of. */
    private String harmlessText(RdfFormat format, byte[] document) {
        if (format == RdfFormat.RDF_XML) {
            return XmlScan.check(document, limits.nestingMax());
        }
        String text = DocumentText.decode(document, StandardCharsets.UTF_8);
        if (format == RdfFormat.JSON_LD) {
            JsonScan.check(text, limits.nestingMax());
        } else {
            TurtleScan.check(text, limits.nestingMax());
        }
        return text;
    }

    private static BadDocument refusal(RuntimeException e, RdfTerms terms, Complaints complaints, String text) {
        RdfTerms.BadIri iri = terms.refused();
        if (iri != null) {
            String reason = "<" + iri.iri() + "> " + iri.reason();
            if (complaints.lastLine() > 0 && complaints.lastMessage().contains(iri.iri())) {
                return BadDocument.at(complaints.lastLine(), complaints.lastColumn(), reason);
            }
            int written = text.indexOf(iri.iri());
            return written < 0 ? BadDocument.anywhere(reason) : BadDocument.at(text, written, reason);
        }
        if (e instanceof BadDocument bad) {
            return bad;
        }
        if (e.getCause() instanceof BadDocument bad) {
            return bad;
        }
        return BadDocument.at(complaints.lastLine(), complaints.lastColumn(), String.valueOf(e.getMessage()));
    }

    private static JsonLdOptions jsonLdOptions() {
        return new JsonLdOptions((uri, options) -> {
            throw new JsonLdError(
                    JsonLdErrorCode.LOADING_REMOTE_CONTEXT_FAILED,
                    "'" + uri + "' lies outside the document (nothing is fetched)");
        });
    }

    private static Lang lang(RdfFormat format) {
        return switch (format) {
            case TURTLE -> Lang.TURTLE;
            case N_TRIPLES -> Lang.NTRIPLES;
            case RDF_XML -> Lang.RDFXML;
            case JSON_LD -> Lang.JSONLD11;
        };
    }

    private static String sha256(byte[] document) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(document));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Takes the triples, up to a limit. */
    private static final class Sink extends StreamRDFBase implements StreamRDF {

        private final Graph graph = GraphFactory.createDefaultGraph();
        private final int triplesMax;
        private final Complaints complaints;
        private int count;
        private boolean hasNamedGraphs;

        Sink(int triplesMax, Complaints complaints) {
            this.triplesMax = triplesMax;
            this.complaints = complaints;
        }

        @Override
        public void triple(Triple triple) {
            if (++count > triplesMax) {
                throw BadDocument.anywhere("more than " + triplesMax + " triples");
            }
            graph.add(triple);
        }

        @Override
        public void quad(Quad quad) {
            if (quad.isDefaultGraph()) {
                triple(quad.asTriple());
            } else if (!hasNamedGraphs) {
                hasNamedGraphs = true;
                complaints.warning("the named graphs in the document are left out", -1, -1);
            }
        }
    }

    /** Keeps warnings, and stops at the first error. */
    private static final class Complaints implements ErrorHandler {

        private final List<String> warnings = new ArrayList<>();
        private int dropped;
        private String lastMessage = "";
        private long lastLine;
        private long lastColumn;

        @Override
        public void warning(String message, long line, long column) {
            note(message, line, column);
            if (warnings.size() < WARNINGS_MAX) {
                warnings.add(line < 1 ? message : "line " + line + ", column " + column + ": " + message);
            } else {
                dropped++;
            }
        }

        @Override
        public void error(String message, long line, long column) {
            note(message, line, column);
            throw BadDocument.at(line, column, message);
        }

        @Override
        public void fatal(String message, long line, long column) {
            error(message, line, column);
        }

        private void note(String message, long line, long column) {
            lastMessage = String.valueOf(message);
            lastLine = line;
            lastColumn = column;
        }

        String lastMessage() {
            return lastMessage;
        }

        long lastLine() {
            return lastLine;
        }

        long lastColumn() {
            return lastColumn;
        }

        List<String> warnings() {
            List<String> all = new ArrayList<>(warnings);
            if (dropped > 0) {
                all.add("and " + dropped + " more warnings");
            }
            return all;
        }
    }
}
