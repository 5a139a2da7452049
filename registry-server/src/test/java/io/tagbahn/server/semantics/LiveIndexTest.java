// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.Iri;
import io.tagbahn.model.Tag;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An index that is kept up to date, also where that fails for a moment. */
class LiveIndexTest {

    private static final String NS = "http://example.org/works#";

    private boolean failing;
    private final LiveIndex index = new LiveIndex(Closure.empty(), task -> {}, entry -> {
        if (failing) {
            throw new OutOfMemoryError("told by a test");
        }
        return Tag.parse(entry);
    });

    private static Closure closure() {
        return Closure.of(List.of(new OntologyParser()
                .parse(
                        new Iri("http://example.org/works"),
                        RdfFormat.TURTLE,
                        ("<" + NS + "Book> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <" + NS + "Work> .")
                                .getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void whatCouldNotBeWorkedInIsWorkedInLater() {
        index.added(List.of(NS + "a", NS + "b"));
        failing = true;
        assertThatThrownBy(index::current).isInstanceOf(OutOfMemoryError.class);
        index.removed(List.of(NS + "b"));
        index.added(List.of(NS + "c"));
        failing = false;
        assertThat(index.current().size()).as("a and c: b has gone since").isEqualTo(2);
    }

    @Test
    void closureThatCouldNotBeTakenInLeavesTheOneBefore() {
        index.added(List.of(NS + "a"));
        failing = true;
        assertThatThrownBy(() -> index.compile(closure())).isInstanceOf(OutOfMemoryError.class);
        failing = false;
        assertThat(index.closure().version()).isEqualTo(Closure.empty().version());
        index.compile(closure());
        index.added(List.of(NS + "b"));
        assertThat(index.closure().version()).isEqualTo(closure().version());
        assertThat(index.current().size()).isEqualTo(2);
    }
}
