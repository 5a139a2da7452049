// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.PutOntologyQuery;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.WatchQuery;
import io.tagbahn.thrift.WatchResult;
import io.tagbahn.thrift.WatchTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What has gone wrong in systems like this one, with ontologies and watches. */
class MeaningFaultsTest {

    private static final String IRI = "http://example.org/f";
    private static final String NS = IRI + "#";
    private static final String SUB_CLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private TestingCluster cluster = new TestingCluster(Path.of(""), 1, Map.of());

    @BeforeEach
    void start() {
        cluster = new TestingCluster(folder, 1, Map.of());
        cluster.start("n1");
        cluster.at("n1").putOntology(IRI, triple("Book", "Work"));
        cluster.at("n1").register(instance("book", "books", "10.0.0.1", 80), NS + "Book");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Registered for longer than a test takes on a busy machine. */
    private static RegisterQuery lasting(Instance instance) {
        return new RegisterQuery(instance, List.of()).setLeaseMillis(600_000);
    }

    private static String triple(String narrow, String broad) {
        return "<" + NS + narrow + "> " + SUB_CLASS + " <" + NS + broad + "> .\n";
    }

    private void assertInForce() {
        assertThat(cluster.at("n1").semanticDiscover(NS + "Work").getMatches()).hasSize(1);
    }

    private void refused(String mediaType, byte[] document, String reason) {
        PutOntologyQuery put = new PutOntologyQuery(IRI, ByteBuffer.wrap(document), mediaType);
        assertThatThrownBy(() -> cluster.at("n1").putOntology(put))
                .isInstanceOf(InvalidArgument.class)
                .hasMessageContaining(reason);
        assertInForce();
    }

    private void refused(String mediaType, String document, String reason) {
        refused(mediaType, document.getBytes(StandardCharsets.UTF_8), reason);
    }

    /** FF-27: nothing that a document names is fetched, whatever would answer there. */
    @Test
    void hostileDocumentsAreRefusedOrHarmlessAndFetchNothing() throws IOException {
        try (ServerSocket canary = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "http://127.0.0.1:" + canary.getLocalPort() + "/";
            cluster.at("n1")
                    .putOntology(
                            IRI,
                            "<" + IRI + "> <http://www.w3.org/2002/07/owl#imports> <" + address + "> , <" + IRI
                                    + "> .\n" + triple("Book", "Work"));
            assertInForce();
            refused(
                    "application/ld+json",
                    "{\"@context\":\"" + address + "context.jsonld\",\"@id\":\"urn:a\",\"@type\":\"urn:b\"}",
                    "document");
            refused(
                    "application/rdf+xml",
                    "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY x SYSTEM \"" + address
                            + "x\">]><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">&x;</rdf:RDF>",
                    "document");
            StringBuilder nested = new StringBuilder("<urn:a> <urn:b> ");
            nested.append("[ <urn:b> ".repeat(5_000))
                    .append("1")
                    .append(" ]".repeat(5_000))
                    .append(" .");
            refused("text/turtle", nested.toString(), "document");
            refused("text/turtle", "<urn:a> <urn:b> <urn:c", "line 1");
            refused("text/turtle", "<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> \"half", "line 2");
            canary.setSoTimeout(200);
            assertThatThrownBy(canary::accept).isInstanceOf(SocketTimeoutException.class);
        }
        cluster.at("n1")
                .putOntology(
                        IRI + "/thing",
                        "<http://www.w3.org/2002/07/owl#Thing> " + SUB_CLASS + " <" + NS + "Work> .\n"
                                + "<http://www.w3.org/2000/01/rdf-schema#Resource> " + SUB_CLASS + " <" + NS
                                + "Work> .");
        cluster.at("n1").register(instance("film", "films", "10.0.0.2", 80), NS + "Film");
        assertInForce();
    }

    /** FF-29. */
    @Test
    void escapesThatStandForNoCharacterAreRefusedWithTheirPlace() {
        for (String bad : List.of("<urn:\\uD800>", "\"\\uDC00\\uD800\"", "\"\\U00110000\"")) {
            for (String mediaType : List.of("text/turtle", "application/n-triples")) {
                refused(mediaType, "<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> " + bad + " .\n", "line 2");
            }
        }
    }

    /** FF-30. */
    @Test
    void circlesAndLongChainsAreTaken() {
        StringBuilder document = new StringBuilder(triple("Book", "Work"));
        int circle = 2_000;
        for (int i = 0; i < circle; i++) {
            document.append(triple("Circle" + i, "Circle" + (i + 1) % circle));
        }
        int chain = 20_000;
        for (int i = 0; i < chain; i++) {
            document.append(triple("Chain" + i, "Chain" + (i + 1)));
        }
        document.append(triple("Self", "Self"));
        cluster.at("n1").putOntology(IRI, document.toString());
        cluster.at("n1").register(instance("c", "c", "10.0.0.3", 80), NS + "Circle7", NS + "Chain0");
        assertThat(cluster.at("n1")
                        .semanticDiscover(NS + "Circle" + (circle - 1))
                        .getMatches())
                .singleElement()
                .satisfies(match -> assertThat(match.getDistance()).isZero());
        assertThat(cluster.at("n1").semanticDiscover(NS + "Chain" + chain).getMatches())
                .singleElement()
                .satisfies(match -> assertThat(match.getDistance()).isEqualTo(chain));
        assertInForce();
    }

    /** FF-25: many watches on one connection, which are all told what holds in the end, and hold up nobody else. */
    @Test
    void manyWatchesOnOneConnectionAreAllToldInTheEnd() throws Exception {
        int watches = 300;
        AtomicBoolean over = new AtomicBoolean();
        List<AtomicInteger> seen =
                Stream.generate(AtomicInteger::new).limit(watches).toList();
        try (RpcLoops loops = RpcLoops.start("watching", 1, System::nanoTime);
                RpcClient slow = RpcClient.create(
                        loops, cluster.node("n1").address(), RpcClientConfig.defaults(), new SplittableRandom(1))) {
            for (int i = 0; i < watches; i++) {
                poll(slow, WatchTarget.serviceTags(List.of("w" + i)), Optional.empty(), seen.get(i), over);
            }
            AtomicLong slowest = new AtomicLong();
            CompletableFuture<Void> fast = CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    long begun = System.nanoTime();
                    cluster.at("n1").discover("books");
                    slowest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                }
            });
            try (TestingCaller writer = new TestingCaller(cluster.node("n1").address())) {
                for (int i = 0; i < 3 * watches; i++) {
                    writer.register(lasting(instance("w" + i, "w" + i % watches, "10.0.1.1", 80)));
                }
            }
            eventually(() -> seen.stream().allMatch(count -> count.get() == 3));
            over.set(true);
            fast.join();
            assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofSeconds(10));
        }
    }

    private static void poll(
            RpcClient node, WatchTarget target, Optional<String> token, AtomicInteger seen, AtomicBoolean over) {
        WatchQuery query = new WatchQuery(target).setWaitMillis(30_000);
        token.ifPresent(query::setToken);
        node.call("watch", new Discovery.watch_args(query), Discovery.watch_result::new, DEADLINE)
                .whenComplete((result, error) -> {
                    WatchResult told = error == null ? result.getSuccess() : null;
                    if (over.get() || told == null) {
                        return;
                    }
                    if (told.isChanged()) {
                        seen.set(told.getTags().getPeers().values().stream()
                                .mapToInt(List::size)
                                .sum());
                    }
                    poll(node, target, Optional.of(told.getToken()), seen, over);
                });
    }

    /** FF-35: very many watch what changes all the time; writers get through, status answers, and all are right in the end. */
    @Test
    void watchersOfWhatChangesAllTheTimeHoldUpNeitherWritersNorStatus() throws Exception {
        int watchers = 2_000;
        int services = 20;
        int changes = 600;
        AtomicBoolean over = new AtomicBoolean();
        List<AtomicInteger> seen =
                Stream.generate(AtomicInteger::new).limit(watchers).toList();
        try (RpcLoops loops = RpcLoops.start("watching", 1, System::nanoTime)) {
            List<RpcClient> clients = IntStream.range(0, 20)
                    .mapToObj(i -> RpcClient.create(
                            loops, cluster.node("n1").address(), RpcClientConfig.defaults(), new SplittableRandom(i)))
                    .toList();
            for (int i = 0; i < watchers; i++) {
                poll(
                        clients.get(i % clients.size()),
                        WatchTarget.serviceTags(List.of("v" + i % services)),
                        Optional.empty(),
                        seen.get(i),
                        over);
            }
            for (int i = 0; i < changes; i++) {
                cluster.at("n1").register(lasting(instance("v" + i, "v" + i % services, "10.0.2.1", 80)));
                assertThat(cluster.at("n1").status().isReady()).isTrue();
            }
            eventually(() -> seen.stream().allMatch(count -> count.get() == changes / services));
            over.set(true);
            clients.forEach(RpcClient::close);
        }
    }
}
