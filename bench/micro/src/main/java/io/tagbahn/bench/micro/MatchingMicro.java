// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.micro;

import io.tagbahn.bench.Dbpedia;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.MatchResult;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.semantics.TagIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Matching: questions to the compiled index of 100,000 tags over DBpedia's ontology, and the reading of a tag. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MatchingMicro {

    private static final int TAGS = 100_000;
    private static final int QUERIES = 1_000;
    private static final int SEED = 5;

    private final List<MatchQuery> queries = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private TagIndex index = TagIndex.empty(Closure.of(List.of()));
    private int next;

    @Setup
    public void fill() {
        Dbpedia dbpedia = Dbpedia.load();
        Random random = new Random(SEED);
        Closure closure = Closure.of(
                List.of(new OntologyParser().parse(new Iri(Dbpedia.NAMESPACE), RdfFormat.TURTLE, dbpedia.document())));
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < TAGS; i++) {
            String text = dbpedia.anyTag(i / 100, random);
            texts.add(text);
            tags.add(Tag.parse(text));
        }
        index = TagIndex.of(closure, tags);
        for (int i = 0; i < QUERIES; i++) {
            queries.add(
                    MatchQuery.of(TagPattern.parse(dbpedia.anyPattern(random))).limitedTo(10));
        }
    }

    /** The ten best matches of a concept or of a statement with a wildcard. */
    @Benchmark
    public MatchResult match() {
        return index.match(queries.get(next++ % QUERIES));
    }

    /** A tag from its text to its canonical spelling, as every registration has it done for each. */
    @Benchmark
    public Tag parseTag() {
        return Tag.parse(texts.get(next++ % TAGS));
    }
}
