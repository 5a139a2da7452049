// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Iri;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.LocalReplica;
import io.tagbahn.server.cluster.Meaning;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.StoreLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of ontologies at a node whose thread for them is held up, while time goes by as the test says. */
class OntologyServiceTest {

    private static final Iri IRI = new Iri("http://example.org/o");
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong(1);
    private final InstantSource clock = () -> Instant.ofEpochMilli(1_700_000_000_000L + nanos.get() / 1_000_000);
    private final LocalReplica replica = new LocalReplica(
            StoreLimits.defaults(),
            LeaseTerms.defaults(),
            100,
            nanos::get,
            clock,
            List.of(),
            words -> CompletableFuture.completedFuture(null));
    private final Meaning meaning = LoneCluster.meaning(nanos::get);
    private final Cluster cluster = LoneCluster.of(replica, meaning, nanos::get, clock);
    private final ServiceLimits limits = new ServiceLimits(10, 10, 10, ServiceLimits.ANSWER_BYTES_LEAST);
    private final RegistryService registry =
            new RegistryService(replica, () -> cluster, new NodeInfo("n", "1", 1, 1), limits, nanos::get);
    private final OntologyService service = new OntologyService(registry, () -> cluster, limits, clock);
    private final CompletableFuture<Void> held = new CompletableFuture<>();

    @BeforeEach
    void start() {
        meaning.start(replica);
        replica.start();
        cluster.start();
        registry.phase(Phase.READY);
        Awaitility.await().until(() -> meaning.shelf().isLoaded());
        CompletableFuture<Boolean> busy = new CompletableFuture<>();
        meaning.shelf().submit(() -> {
            busy.complete(true);
            return held.join();
        });
        busy.join();
    }

    @AfterEach
    void stop() {
        held.complete(null);
        cluster.close();
        meaning.close();
        replica.close();
    }

    private CompletionStage<OntologyReceipt> put(Iri iri, String name) {
        String document = "<urn:x:" + name + "> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:x:b> .";
        return service.put(
                new OntologyPut(
                        iri,
                        ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8)),
                        "text/turtle",
                        Optional.empty(),
                        false),
                CallContext.NONE.withDeadline(DEADLINE));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletionStage<?> stage) throws Exception {
        return stage.<Throwable>handle((value, error) -> error == null ? new AssertionError("succeeded") : error)
                .thenApply(error -> error.getCause() == null ? error : error.getCause())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void changeWhoseTurnComesPastItsDeadlineHasNoEffect() throws Exception {
        CompletionStage<OntologyReceipt> late = put(IRI, "a");
        pass(DEADLINE);
        held.complete(null);
        assertThat(failure(late)).isInstanceOf(Overloaded.class);
        assertThat(meaning.shelf().present().head(IRI.value())).isEmpty();
        String kept = get(put(IRI, "b")).info().contentHash();
        assertThat(meaning.shelf().present().head(IRI.value()).orElseThrow().contentHash())
                .isEqualTo(kept);
    }

    @Test
    void versionIsOfTheMomentAtWhichAChangeWasAdmitted() throws Exception {
        long admitted = clock.millis();
        CompletionStage<OntologyReceipt> put = put(IRI, "a");
        pass(DEADLINE.dividedBy(2));
        held.complete(null);
        assertThat(get(put).info().version()).isEqualTo(admitted);
    }

    @Test
    void ofTwoChangesOfOneMomentTheLaterOneStands() throws Exception {
        CompletionStage<OntologyReceipt> one = put(IRI, "a");
        CompletionStage<OntologyReceipt> other = put(IRI, "b");
        held.complete(null);
        long before = get(one).info().version();
        OntologyReceipt last = get(other);
        assertThat(last.info().version()).isEqualTo(before + 1);
        assertThat(meaning.shelf().present().head(IRI.value()).orElseThrow().contentHash())
                .isEqualTo(last.info().contentHash());
    }

    @Test
    void documentsThatAreWorkedOnAreFew() throws Exception {
        CompletionStage<OntologyReceipt> one = put(IRI, "a");
        CompletionStage<OntologyReceipt> two = put(new Iri("http://example.org/p"), "a");
        assertThat(failure(put(new Iri("http://example.org/q"), "a")))
                .isInstanceOfSatisfying(Overloaded.class, refused -> {
                    assertThat(refused.signal()).isEqualTo(Signal.RETRY_AFTER);
                    assertThat(refused.retryAfter()).isPresent();
                });
        held.complete(null);
        get(one);
        get(two);
        assertThat(get(put(new Iri("http://example.org/q"), "a")).info().triples())
                .isEqualTo(1);
    }
}
