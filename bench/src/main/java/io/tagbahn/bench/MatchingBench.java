// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.model.Iri;
import io.tagbahn.model.Match;
import io.tagbahn.model.Statement;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.semantics.TagIndex;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.graph.Triple;
import org.apache.jena.rdfs.RDFSFactory;
import org.apache.jena.rdfs.SetupRDFS;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.sparql.graph.GraphFactory;
import org.apache.jena.vocabulary.OWL;
import org.apache.jena.vocabulary.RDF;
import org.apache.jena.vocabulary.RDFS;

/**
 * The compiled matcher beside Jena's RDFS graph, over 100,000 tags and the DBpedia ontology: the same queries, the same
 * answers, and how long each takes.
 *
 * <p>The queries are those that both define. Tags are data to the RDFS graph, as in the thesis. It infers types and
 * properties by itself; for statements between classes it gives the subclasses, and is asked once for each of the object's.
 */
public final class MatchingBench {

    private static final String ONTOLOGY = "/io/tagbahn/bench/dbpedia-ontology.ttl.gz";
    private static final List<String> KINDS = List.of("of a class", "by a property", "statement");
    private static final Node SUB_CLASS = RDFS.subClassOf.asNode();
    private static final Node SUB_PROPERTY = RDFS.subPropertyOf.asNode();
    private static final int TAGS = 99_999;
    private static final int QUERIES = 500;
    private static final int RDFS_ROUNDS = 2;
    private static final int COMPILED_ROUNDS = 20;
    private static final long NANOS_MAX = 60_000_000_000L;

    private final Random random = new Random(16);
    private final byte[] document = document();
    private final Graph vocabulary = hierarchy(document);
    private final List<Node> classes = declared(OWL.Class.asNode());
    private final List<Node> properties = declared(OWL.ObjectProperty.asNode());
    private final List<Statement> tags = tags();
    private final List<List<TagPattern.Shape>> queries = queries();

    /** Exits with 1 where an answer differs. */
    public static void main(String[] args) {
        System.exit(new MatchingBench().run(System.out) ? 0 : 1);
    }

    /** Whether all answers were equal. */
    boolean run(PrintStream out) {
        long begun = System.nanoTime();
        Closure closure = Closure.of(List.of(
                new OntologyParser().parse(new Iri("http://dbpedia.org/ontology/"), RdfFormat.TURTLE, document)));
        long compiled = System.nanoTime();
        TagIndex index = TagIndex.of(closure, tags);
        out.printf(
                "ontology read and compiled in %d ms, %,d tags indexed in %d ms%n",
                (compiled - begun) / 1_000_000, index.size(), (System.nanoTime() - compiled) / 1_000_000);

        Graph data = GraphFactory.createDefaultGraph();
        tags.forEach(tag -> data.add(triple(tag)));
        SetupRDFS setup = RDFSFactory.setupRDFS(vocabulary);
        Graph rdfs = RDFSFactory.graphRDFS(data, setup);

        int different = 0;
        for (int kind = 0; kind < KINDS.size(); kind++) {
            long matches = 0;
            for (TagPattern.Shape query : queries.get(kind)) {
                Set<String> expected = new TreeSet<>();
                rdfsFind(rdfs, setup, query, triple -> expected.add(triple.getSubject() + " " + triple.getObject()));
                Set<String> answer = new TreeSet<>();
                index.match(whole(query)).matches().forEach(match -> answer.add(asked(query, match)));
                matches += answer.size();
                if (!answer.equals(expected)) {
                    different++;
                    out.printf(
                            "DIFFERENT: %s: compiled %d, GraphRDFS %d%n",
                            query.spelling(), answer.size(), expected.size());
                }
            }
            out.printf("%s: %.1f matches a query%n", KINDS.get(kind), matches / (double) QUERIES);
            compare(out, queries.get(kind), index, rdfs, setup);
        }
        out.printf("%d different answers%n", different);
        return different == 0;
    }

    private static void compare(
            PrintStream out, List<TagPattern.Shape> some, TagIndex index, Graph rdfs, SetupRDFS setup) {
        Histogram slow = time(some, RDFS_ROUNDS, query -> {
            int[] count = new int[1];
            rdfsFind(rdfs, setup, query, triple -> count[0]++);
            return count[0];
        });
        Histogram fast = time(
                some,
                COMPILED_ROUNDS,
                query -> index.match(whole(query)).matches().size());
        report(out, "GraphRDFS", slow);
        report(out, "compiled", fast);
        out.printf(
                "  GraphRDFS takes %.0f times as long at p50, %.0f times at p99, %.0f times on average%n",
                slow.getValueAtPercentile(50) / (double) fast.getValueAtPercentile(50),
                slow.getValueAtPercentile(99) / (double) fast.getValueAtPercentile(99),
                slow.getMean() / fast.getMean());
    }

    private static MatchQuery whole(TagPattern.Shape query) {
        return MatchQuery.of(query).limitedTo(MatchQuery.LIMIT_MAX);
    }

    private static void rdfsFind(Graph rdfs, SetupRDFS setup, TagPattern.Shape query, Consumer<Triple> action) {
        Node subject = node(query.subject());
        Node predicate = node(query.predicate());
        Node object = node(query.object().map(Iri.class::cast));
        if (query.subject().isEmpty()) {
            rdfs.find(subject, predicate, object).forEachRemaining(action);
            return;
        }
        Set<Node> subjects = setup.getSubClassesInc(subject);
        for (Node part : setup.getSubClassesInc(object)) {
            rdfs.find(Node.ANY, predicate, part)
                    .filterKeep(triple -> subjects.contains(triple.getSubject()))
                    .forEachRemaining(action);
        }
    }

    private static Histogram time(List<TagPattern.Shape> some, int rounds, ToIntFunction<TagPattern.Shape> call) {
        Histogram histogram = new Histogram(NANOS_MAX, 3);
        for (int round = 0; round < rounds; round++) {
            // The last round counts; those before it warm up.
            histogram.reset();
            for (TagPattern.Shape query : some) {
                long start = System.nanoTime();
                int size = call.applyAsInt(query);
                histogram.recordValue(Math.min(NANOS_MAX, System.nanoTime() - start));
                if (size < 0) {
                    throw new IllegalStateException("negative size");
                }
            }
        }
        return histogram;
    }

    private static void report(PrintStream out, String name, Histogram histogram) {
        out.printf(
                "  %-10s p50 %,.1f us, p99 %,.1f us, mean %,.1f us%n",
                name,
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getMean() / 1e3);
    }

    /** A tag as that graph would show it: with the type that was asked for in the place of a narrower one. */
    private static String asked(TagPattern.Shape query, Match match) {
        Statement statement = (Statement) Tag.parse(match.tag());
        Iri object = (Iri) (query.subject().isEmpty() ? query.object().orElseThrow() : statement.object());
        return statement.subject().value() + " " + object.value();
    }

    private static Node node(Optional<Iri> term) {
        return term.map(iri -> NodeFactory.createURI(iri.value())).orElse(Node.ANY);
    }

    private static Triple triple(Statement tag) {
        return Triple.create(
                NodeFactory.createURI(tag.subject().value()),
                NodeFactory.createURI(tag.predicate().value()),
                NodeFactory.createURI(((Iri) tag.object()).value()));
    }

    /** In turn: what a thing is, how two things are related, and how things of two classes are related. */
    private List<Statement> tags() {
        List<Statement> all = new ArrayList<>();
        for (int i = 0; i < TAGS; i++) {
            Iri thing = new Iri("http://example.org/thing/" + i);
            all.add(
                    switch (i % KINDS.size()) {
                        case 0 -> new Statement(thing, Statement.RDF_TYPE, any(classes));
                        case 1 ->
                            new Statement(
                                    thing,
                                    any(properties),
                                    new Iri("http://example.org/place/" + random.nextInt(2_000)));
                        default -> new Statement(any(classes), any(properties), any(classes));
                    });
        }
        return all;
    }

    /** Each like a tag that is there, or wider. */
    private List<List<TagPattern.Shape>> queries() {
        List<List<TagPattern.Shape>> all = new ArrayList<>();
        for (int kind = 0; kind < KINDS.size(); kind++) {
            List<TagPattern.Shape> some = new ArrayList<>();
            for (int i = 0; i < QUERIES; i++) {
                some.add(query(kind, tags.get(random.nextInt(TAGS / KINDS.size()) * KINDS.size() + kind)));
            }
            all.add(some);
        }
        return all;
    }

    private TagPattern.Shape query(int kind, Statement like) {
        Iri object = (Iri) like.object();
        return switch (kind) {
            case 0 ->
                new TagPattern.Shape(
                        Optional.empty(), Optional.of(like.predicate()), Optional.of(wider(object, SUB_CLASS)));
            case 1 ->
                new TagPattern.Shape(
                        Optional.empty(), Optional.of(wider(like.predicate(), SUB_PROPERTY)), Optional.of(object));
            default ->
                new TagPattern.Shape(
                        Optional.of(wider(like.subject(), SUB_CLASS)),
                        Optional.of(wider(like.predicate(), SUB_PROPERTY)),
                        Optional.of(wider(object, SUB_CLASS)));
        };
    }

    /** A term or, half of the time, one that is a step above it. */
    private Iri wider(Iri term, Node relation) {
        List<Node> up = new ArrayList<>();
        vocabulary
                .find(NodeFactory.createURI(term.value()), relation, Node.ANY)
                .filterDrop(triple -> isReserved(triple.getObject()))
                .forEachRemaining(triple -> up.add(triple.getObject()));
        // Graphs list their triples in no order that could be relied on.
        up.sort(Comparator.comparing(Node::getURI));
        return up.isEmpty() || random.nextBoolean()
                ? term
                : new Iri(up.get(random.nextInt(up.size())).getURI());
    }

    private Iri any(List<Node> nodes) {
        return new Iri(nodes.get(random.nextInt(nodes.size())).getURI());
    }

    private List<Node> declared(Node type) {
        Graph all = graph(document);
        Set<String> iris = new TreeSet<>();
        all.find(Node.ANY, RDF.type.asNode(), type).forEachRemaining(triple -> {
            if (triple.getSubject().isURI()
                    && triple.getSubject().getURI().startsWith("http://dbpedia.org/ontology/")) {
                iris.add(triple.getSubject().getURI());
            }
        });
        return iris.stream().map(NodeFactory::createURI).toList();
    }

    /** The stated subclasses and subproperties; equivalence, which RDFS doesn't know, as one in either direction. */
    private static Graph hierarchy(byte[] document) {
        Graph hierarchy = GraphFactory.createDefaultGraph();
        graph(document).find().forEachRemaining(triple -> {
            Node kind = triple.getPredicate();
            if (!triple.getSubject().isURI() || !triple.getObject().isURI() || isReserved(triple.getSubject())) {
                return;
            }
            if (kind.equals(RDFS.subClassOf.asNode()) || kind.equals(RDFS.subPropertyOf.asNode())) {
                hierarchy.add(triple);
            } else if (!isReserved(triple.getObject()) && kind.equals(OWL.equivalentClass.asNode())) {
                hierarchy.add(triple.getSubject(), RDFS.subClassOf.asNode(), triple.getObject());
                hierarchy.add(triple.getObject(), RDFS.subClassOf.asNode(), triple.getSubject());
            } else if (!isReserved(triple.getObject()) && kind.equals(OWL.equivalentProperty.asNode())) {
                hierarchy.add(triple.getSubject(), RDFS.subPropertyOf.asNode(), triple.getObject());
                hierarchy.add(triple.getObject(), RDFS.subPropertyOf.asNode(), triple.getSubject());
            }
        });
        return hierarchy;
    }

    private static boolean isReserved(Node node) {
        return List.of(RDF.uri, RDFS.uri, OWL.NS).stream().anyMatch(node.getURI()::startsWith);
    }

    private static Graph graph(byte[] document) {
        Graph graph = GraphFactory.createDefaultGraph();
        RDFParser.source(new ByteArrayInputStream(document))
                .forceLang(Lang.TURTLE)
                .base("http://dbpedia.org/ontology/")
                .parse(graph);
        return graph;
    }

    private static byte[] document() {
        try (InputStream in = MatchingBench.class.getResourceAsStream(ONTOLOGY)) {
            if (in == null) {
                throw new IllegalStateException("not on the class path: " + ONTOLOGY);
            }
            return new GZIPInputStream(in).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
