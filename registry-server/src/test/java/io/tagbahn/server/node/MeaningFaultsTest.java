// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static io.tagbahn.server.node.TestingCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
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
import io.tagbahn.wire.WireErrors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;
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
    private static final int WAIT_MILLIS = 30_000;

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

    private static String imports(String document, String other) {
        return "<" + document + "> <http://www.w3.org/2002/07/owl#imports> <" + other + "> .\n";
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
            cluster.at("n1").putOntology(IRI, imports(IRI, address) + imports(IRI, IRI) + triple("Book", "Work"));
            cluster.at("n1").putOntology(IRI + "/two", imports(IRI + "/two", IRI + "/three"));
            cluster.at("n1").putOntology(IRI + "/three", imports(IRI + "/three", IRI + "/two"));
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
        int circle = 10_000;
        for (int i = 0; i < circle; i++) {
            document.append(triple("Circle" + i, "Circle" + (i + 1) % circle));
        }
        int chain = 2_000;
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

    /** A connection with little room whose owner doesn't read while it has better to do. */
    private static final class SlowReader implements AutoCloseable {
        private static final int WATCHES = 300;
        private static final int BUFFER_BYTES = 4_096;

        private final TSocket socket;
        private final TBinaryProtocol protocol;
        private final int[] seen = new int[WATCHES];
        private final List<Optional<String>> tokens = new ArrayList<>(Collections.nCopies(WATCHES, Optional.empty()));
        private long pausedNanos = System.nanoTime();

        SlowReader(InetSocketAddress node) throws Exception {
            Socket narrow = new Socket();
            narrow.setReceiveBufferSize(BUFFER_BYTES);
            narrow.connect(node);
            narrow.setSoTimeout((int) DEADLINE.toMillis());
            socket = new TSocket(narrow);
            protocol = new TBinaryProtocol(new TFramedTransport(socket));
        }

        void ask(int watch) throws TException {
            WatchQuery query = new WatchQuery(WatchTarget.serviceTags(List.of("w" + watch))).setWaitMillis(WAIT_MILLIS);
            tokens.get(watch).ifPresent(query::setToken);
            protocol.writeMessageBegin(new TMessage("watch", TMessageType.CALL, watch));
            new Discovery.watch_args(query).write(protocol);
            protocol.writeMessageEnd();
            protocol.getTransport().flush();
        }

        /** Reads the next answer, whichever watch it is of, and has that go on. */
        void read() throws TException {
            int watch = protocol.readMessageBegin().seqid;
            Discovery.watch_result result = new Discovery.watch_result();
            result.read(protocol);
            protocol.readMessageEnd();
            Optional<RegistryException> error = WireErrors.error(result);
            if (error.isPresent()) {
                pause(TestingCaller.again(error.get()).orElseThrow(error::get));
            } else {
                WatchResult told = result.getSuccess();
                if (told.isChanged()) {
                    seen[watch] = instances(told);
                }
                tokens.set(watch, Optional.of(told.getToken()));
            }
            ask(watch);
        }

        /** Many may have been refused at once: one pause is for all of them. */
        private void pause(Duration again) {
            if (System.nanoTime() - pausedNanos > again.toNanos()) {
                LockSupport.parkNanos(again.toNanos());
                pausedNanos = System.nanoTime();
            }
        }

        boolean sees(int instances) {
            return Arrays.stream(seen).allMatch(each -> each == instances);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private static int instances(WatchResult told) {
        return told.getTags().getPeers().values().stream().mapToInt(List::size).sum();
    }

    /** FF-25: nothing is skipped for who reads slowly, and another watcher is told meanwhile of each change in time. */
    @Test
    void manyWatchesOnOneSlowConnectionAreAllToldInTheEndAndHoldUpNobody() throws Exception {
        int rounds = 2;
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger latest = new AtomicInteger();
        InetSocketAddress address = cluster.node("n1").address();
        try (SlowReader slow = new SlowReader(address);
                RpcLoops loops = RpcLoops.start("watching", 1, System::nanoTime);
                RpcClient fast = RpcClient.create(loops, address, RpcClientConfig.defaults(), new SplittableRandom(1));
                TestingCaller writer = new TestingCaller(address)) {
            for (int i = 0; i < SlowReader.WATCHES; i++) {
                slow.ask(i);
            }
            poll(
                    fast,
                    WatchTarget.serviceTags(List.of("fast")),
                    Optional.empty(),
                    told -> latest.set(instances(told)),
                    over);
            int changes = rounds * SlowReader.WATCHES;
            for (int i = 1; i <= changes; i++) {
                writer.register(lasting(instance("w" + i, "w" + i % SlowReader.WATCHES, "10.0.1.1", 80)));
                if (i % 100 == 0) {
                    int expected = i / 100;
                    writer.register(lasting(instance("fast" + i, "fast", "10.0.1.2", 80)));
                    await().atMost(Duration.ofSeconds(10)).until(() -> latest.get() == expected);
                }
            }
            while (!slow.sees(rounds)) {
                slow.read();
            }
            over.set(true);
            assertThat(writer.discover("w7")).hasSize(rounds);
        }
    }

    private static void poll(
            RpcClient node,
            WatchTarget target,
            Optional<String> token,
            Consumer<WatchResult> listener,
            AtomicBoolean over) {
        WatchQuery query = new WatchQuery(target).setWaitMillis(WAIT_MILLIS);
        token.ifPresent(query::setToken);
        node.call("watch", new Discovery.watch_args(query), Discovery.watch_result::new, DEADLINE)
                .whenComplete((result, error) -> {
                    if (over.get() || error != null) {
                        return;
                    }
                    // More wake up at once than the node answers: watches are the first that it refuses.
                    Optional<Duration> again = WireErrors.error(result).flatMap(TestingCaller::again);
                    if (again.isPresent()) {
                        CompletableFuture.delayedExecutor(again.get().toMillis(), TimeUnit.MILLISECONDS)
                                .execute(() -> poll(node, target, token, listener, over));
                        return;
                    }
                    WatchResult told = result.getSuccess();
                    if (told == null) {
                        return;
                    }
                    if (told.isChanged()) {
                        listener.accept(told);
                    }
                    poll(node, target, Optional.of(told.getToken()), listener, over);
                });
    }

    /** FF-35: very many watch what changes all the time; writers get through, status answers, and all are right in the end. */
    @Test
    void watchersOfWhatChangesAllTheTimeHoldUpNeitherWritersNorStatus() throws Exception {
        int watchers = 2_000;
        int services = 20;
        int changes = 100;
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        AtomicIntegerArray seen = new AtomicIntegerArray(watchers);
        try (RpcLoops loops = RpcLoops.start("watching", 1, System::nanoTime)) {
            List<RpcClient> clients = IntStream.range(0, 20)
                    .mapToObj(i -> RpcClient.create(
                            loops, cluster.node("n1").address(), RpcClientConfig.defaults(), new SplittableRandom(i)))
                    .toList();
            for (int i = 0; i < watchers; i++) {
                int watcher = i;
                WatchTarget target = WatchTarget.serviceTags(List.of("v" + i % services));
                poll(
                        clients.get(i % clients.size()),
                        target,
                        Optional.empty(),
                        told -> {
                            answers.incrementAndGet();
                            told.getTags()
                                    .getPeers()
                                    .values()
                                    .forEach(peers -> seen.set(
                                            watcher, peers.get(0).getInstance().getPort()));
                        },
                        over);
            }
            eventually(() -> answers.get() == watchers);
            long slowestNanos = 0;
            for (int i = 0; i < changes; i++) {
                int service = i % services;
                cluster.at("n1").register(lasting(instance("v" + service, "v" + service, "10.0.2.1", 1 + i)));
                long begun = System.nanoTime();
                assertThat(cluster.at("n1").status().isReady()).isTrue();
                slowestNanos = Math.max(slowestNanos, System.nanoTime() - begun);
            }
            assertThat(Duration.ofNanos(slowestNanos)).isLessThan(Duration.ofSeconds(5));
            eventually(() -> IntStream.range(0, watchers)
                    .allMatch(watcher -> seen.get(watcher) == 1 + changes - services + watcher % services));
            over.set(true);
            clients.forEach(RpcClient::close);
        }
    }
}
