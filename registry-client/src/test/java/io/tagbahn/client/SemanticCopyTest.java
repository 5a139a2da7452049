// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.model.TagPeers;
import io.tagbahn.semantics.Closure;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.OntologyParser;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.semantics.TagIndex;
import io.tagbahn.server.node.Node;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of all tags that answers by itself, and watches, against a node. */
class SemanticCopyTest {

    private static final String NS = "http://example.org/works#";
    private static final Iri IRI = new Iri("http://example.org/works");
    private static final String PREFIX = "@prefix : <" + NS
            + "> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . :Book rdfs:subClassOf :Work .";

    @TempDir
    private Path folder;

    private @Nullable Node started;
    private @Nullable RegistryClient connected;

    @BeforeEach
    void start() {
        started = TestNodes.start(folder, 0);
        connected = RegistryClient.connect(TestNodes.patient(started));
    }

    @AfterEach
    void stop() {
        client().close();
        if (started != null) {
            started.close();
        }
    }

    private RegistryClient client() {
        return Objects.requireNonNull(connected);
    }

    private static OntologyFile ontology(String more) {
        return new OntologyFile(IRI, RdfFormat.TURTLE, (PREFIX + more).getBytes(StandardCharsets.UTF_8));
    }

    private static void eventually(Supplier<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(condition::get);
    }

    private static List<String> tags(SemanticAnswer answer) {
        return answer.matches().stream().map(SemanticMatch::tag).toList();
    }

    @Test
    void answersAreThoseOfTheRegistryAndFollowIt() {
        client().ontologies().put(ontology(""));
        client().register("books", "10.0.0.1:80", NS + "Book");
        try (SemanticCopy copy = SemanticCopy.of(client())) {
            assertThat(tags(copy.discover(NS + "Work"))).containsExactly(NS + "Book");
            assertThat(copy.discover(NS + "Work")).isEqualTo(client().semanticDiscover(NS + "Work"));
            Registration film = client().register("films", "10.0.0.2:80", NS + "Film");
            client().register("books", "10.0.0.3:80", NS + "Book");
            eventually(() ->
                    copy.discover(NS + "Work").matches().get(0).instances().size() == 2);
            assertThat(tags(copy.discover(NS + "Work"))).containsExactly(NS + "Book");
            client().ontologies().put(ontology(" :Film rdfs:subClassOf :Work ."));
            eventually(() -> copy.discover(NS + "Work").matches().size() == 2);
            assertThat(copy.ontologyVersion())
                    .isEqualTo(client().semanticDiscover(NS + "Work").ontologyVersion());
            film.close();
            eventually(() -> copy.discover(NS + "Work").matches().size() == 1);
        }
    }

    @Test
    void whatWasAskedBeforeIsAnsweredWithoutTheRegistry() throws InterruptedException {
        client().ontologies().put(ontology(""));
        client().register("books", "10.0.0.1:80", NS + "Book");
        try (SemanticCopy copy = SemanticCopy.of(client())) {
            assertThat(copy.awaitReady(TestNodes.PATIENCE)).isTrue();
            assertThat(copy.size()).isEqualTo(1);
            assertThat(copy.discover(NS + "Work").matches()).hasSize(1);
            Objects.requireNonNull(started).close();
            started = null;
            for (int i = 0; i < 1_000; i++) {
                assertThat(copy.discover(NS + "Work").matches()).hasSize(1);
            }
            eventually(() -> copy.discover(NS + "Work").freshness().stale());
            assertThat(copy.discover(NS + "Work").matches()).hasSize(1);
            assertThat(copy.discover(NS + "Work").freshness().age()).isPositive();
        }
    }

    @Test
    void copyOverGivenOntologiesNeedsNoneInTheRegistry() {
        client().register("books", "10.0.0.1:80", NS + "Book");
        try (SemanticCopy copy = SemanticCopy.of(
                client(),
                List.of(new OntologyParser()
                        .parse(IRI, RdfFormat.TURTLE, ontology("").document())))) {
            assertThat(copy.discover(NS + "Work").matches()).hasSize(1);
            assertThatThrownBy(() -> copy.discover("* * *")).isInstanceOf(InvalidArgument.class);
        }
    }

    @Test
    void answerThatThereWasNoRoomToWorkOnComesOnceThereIs() {
        client().register("books", "10.0.0.1:80", NS + "Book");
        QueueingExecutor thread = new QueueingExecutor(0);
        TagIndex index = TagIndex.of(Closure.empty(), List.of(Tag.parse(NS + "Book")));
        HeldAnswer held =
                new HeldAnswer(client().runtime(), MatchQuery.of(TagPattern.parse(NS + "Book")), thread, () -> index);
        held.refreshSoon();
        assertThat(held.first()).isNotDone();
        thread.room = 1;
        eventually(() -> !thread.waiting.isEmpty());
        thread.room = 0;
        thread.runAll(); // the question for the hosts is asked, and its answer finds no room
        thread.room = 1;
        eventually(() -> {
            thread.runAll();
            return held.first().isDone();
        });
        assertThat(held.first().join().matches()).hasSize(1);
        held.close();
    }

    @Test
    void copyInfersUnderTheScopeOfTheRegistry(@TempDir Path other) {
        try (Node scoped = TestNodes.start(other, 0, Map.of("ontology.scope", "own-namespace"));
                RegistryClient asking = RegistryClient.connect(TestNodes.patient(scoped))) {
            asking.ontologies().put(ontology(" <urn:x:foreign> rdfs:subClassOf :Work ."));
            asking.register("books", "10.0.0.1:80", NS + "Book", "urn:x:foreign");
            SemanticAnswer told = asking.semanticDiscover(NS + "Work");
            assertThat(tags(told)).containsExactly(NS + "Book");
            try (SemanticCopy copy = SemanticCopy.of(asking)) {
                assertThat(tags(copy.discover(NS + "Work"))).containsExactly(NS + "Book");
                assertThat(copy.ontologyVersion()).isEqualTo(told.ontologyVersion());
            }
            assertThat(SemanticIndex.over(asking).ontologyVersion()).isEqualTo(told.ontologyVersion());
        }
    }

    @Test
    void watchTellsThePresentAnswerAndEachChange() throws InterruptedException {
        client().ontologies().put(ontology(""));
        BlockingQueue<SemanticAnswer> meant = new LinkedBlockingQueue<>();
        BlockingQueue<TagPeers> found = new LinkedBlockingQueue<>();
        try (Watch byMeaning =
                        client().watch(MatchQuery.of(TagPattern.parse(NS + "Work")), Optional.empty(), meant::add);
                Watch byTag = client().watch(List.of("books"), found::add)) {
            assertThat(next(meant).matches()).isEmpty();
            assertThat(next(found).instances()).isEmpty();
            Registration books = client().register("books", "10.0.0.1:80", NS + "Book");
            assertThat(next(meant).matches()).hasSize(1);
            assertThat(next(found).instances()).containsOnlyKeys("books");
            books.close();
            assertThat(next(meant).matches()).isEmpty();
            assertThat(next(found).instances()).isEmpty();
            assertThat(byMeaning).isNotSameAs(byTag);
        }
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return Objects.requireNonNull(next);
    }
}
