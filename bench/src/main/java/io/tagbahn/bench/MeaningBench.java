// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.client.OntologyFile;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.client.SemanticCopy;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.Iri;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPattern;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.semantics.RdfFormat;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireMeaning;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.apache.thrift.TBase;

/**
 * Meaning on three nodes, each in a process of its own: putting ontologies while lookups go on, questions over many tags,
 * a client's own copy, and watches.
 *
 * <pre>bench/run MeaningBench --replicas 1 --tags 100000 --seconds 5 --ontologies ontology/src/test/resources/ontologies</pre>
 *
 * <p>{@code --before} is how long lookups go on before the first put, {@code --rounds} how often all is put, and removed
 * again before the next.
 */
public final class MeaningBench {

    /** Enough for a document of 40 MB on three nodes that share two processors. */
    static final Duration DEADLINE = Duration.ofMinutes(3);

    private static final int NODES = 3;
    private static final int TAGS_PER_INSTANCE = 100;
    private static final int QUERIES = 1_000;
    private static final int CONNECTIONS = 16;
    private static final int IN_FLIGHT = 16;
    private static final int VISIBLE_ROUNDS = 50;
    private static final int COPY_CALLS = 200_000;
    static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Random random = new Random(5);
    private final PrintStream out;
    private final Map<String, String> options;
    private final CountingCluster nodes;
    private final List<InetSocketAddress> addresses;
    private final Dbpedia dbpedia = Dbpedia.load();
    private final List<String> tags = new ArrayList<>();

    private MeaningBench(Map<String, String> options, CountingCluster nodes, PrintStream out) {
        this.options = options;
        this.nodes = nodes;
        this.addresses = nodes.nodes().stream()
                .map(node -> new InetSocketAddress(
                        node.address().host().toString(), node.address().port()))
                .toList();
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i], args[i + 1]);
        }
        int replicas = Integer.parseInt(options.getOrDefault("--replicas", "3"));
        List<String> jvm =
                options.containsKey("--jvm") ? List.of(options.get("--jvm").split(" +", -1)) : JavaProcess.AS_A_NODE;
        Path folder = Files.createTempDirectory("meaning-bench");
        try (CountingCluster nodes = CountingCluster.start(NODES, replicas, jvm, folder)) {
            System.out.printf("%d nodes, replicas %d%n", NODES, replicas);
            new MeaningBench(options, nodes, System.out).run();
        }
        System.exit(0); // watches that wait would keep it
    }

    private int number(String option, int otherwise) {
        return Integer.parseInt(options.getOrDefault(option, String.valueOf(otherwise)));
    }

    private boolean wants(String part) {
        return options.getOrDefault("--only", "put,query,copy,watch").contains(part);
    }

    private void run() throws Exception {
        try (RegistryClient client = RegistryClient.connect(RegistryClientConfig.defaults()
                        .withRegistries(nodes.nodes().stream()
                                .map(node -> node.address().toString())
                                .toArray(String[]::new))
                        .withCall(RegistryClientConfig.defaults().call().withReadTimeout(DEADLINE)));
                RpcLoops loops = RpcLoops.start("bench", 2, System::nanoTime)) {
            put(client, loops);
            if (wants("query") || wants("copy") || wants("watch")) {
                register(client);
            }
            if (wants("query")) {
                query(loops);
            }
            if (wants("copy")) {
                copy(client);
            }
            if (wants("watch")) {
                long heapBefore = nodes.heapBytes(0);
                new MeaningWatches(client, loops, addresses, tags, out)
                        .run(
                                number("--watches", 5_000),
                                number("--changes", 1_000),
                                Duration.ofSeconds(Math.max(10, number("--seconds", 5))),
                                queries(10),
                                () -> printMemory(heapBefore));
            }
        }
    }

    static RpcClient client(RpcLoops loops, InetSocketAddress address) {
        return RpcClient.create(loops, address, RpcClientConfig.defaults(), new SplittableRandom(1));
    }

    private static <T> T answered(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }

    static String summary(Histogram nanos) {
        return String.format(
                "p50 %.0f, p99 %.0f, max %.0f µs (%d calls)",
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                nanos.getMaxValue() / 1e3,
                nanos.getTotalCount());
    }

    // ------------------------------------------------------------ ontologies

    private void put(RegistryClient client, RpcLoops loops) throws Exception {
        List<OntologyFile> files = new ArrayList<>();
        files.add(new OntologyFile(new Iri(Dbpedia.NAMESPACE), RdfFormat.TURTLE, dbpedia.document()));
        Path more = Path.of(options.getOrDefault("--ontologies", "ontology/src/test/resources/ontologies"));
        if (wants("put") && Files.isDirectory(more)) {
            files.add(OntologyFile.read(new Iri("https://schema.org/"), more.resolve("schemaorg-30.0-all-https.ttl")));
            files.add(
                    OntologyFile.read(new Iri("https://saref.etsi.org/core/"), more.resolve("saref-core-v3.owl.rdf")));
        }
        long heapBefore = nodes.heapBytes(0);
        client.register("probe", "10.9.9.9:80");
        out.printf(
                "lookups before: %s%n",
                summary(whileProbed(loops, () -> TimeUnit.SECONDS.sleep(number("--before", 2)))));
        putAll(client, loops, files);
        for (int round = 2; round <= number("--rounds", 1); round++) {
            for (OntologyFile file : files) {
                client.ontologies().remove(file.iri());
            }
            putAll(client, loops, files);
        }
        if (options.containsKey("--taxonomy")) {
            putAll(client, loops, List.of(taxonomy(Integer.parseInt(options.get("--taxonomy")))));
        }
        printMemory(heapBefore);
    }

    private void putAll(RegistryClient client, RpcLoops loops, List<OntologyFile> files) throws Exception {
        Histogram lookups = whileProbed(loops, () -> {
            for (OntologyFile file : files) {
                long begun = System.nanoTime();
                var receipt = client.ontologies().put(file);
                out.printf(
                        "put %s: %,d bytes, %,d triples, %,d concepts, in force on all nodes after %.2f s%n",
                        file.iri(),
                        file.document().length,
                        receipt.info().triples(),
                        receipt.info().concepts(),
                        (System.nanoTime() - begun) / 1e9);
            }
        });
        out.printf("lookups during: %s%n", summary(lookups));
    }

    interface Work {
        void run() throws Exception;
    }

    /** How long lookups take while something is done. */
    private Histogram whileProbed(RpcLoops loops, Work work) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Histogram lookups = new Histogram(HOUR_NANOS, 3);
        Thread prober = new Thread(() -> probe(loops, over, lookups), "prober");
        prober.start();
        try {
            work.run();
        } finally {
            over.set(true);
            prober.join();
        }
        return lookups;
    }

    private void printMemory(long heapBefore) throws IOException {
        out.printf(
                "a node: heap %.1f MiB before, %.1f MiB after; its process %d MiB%n",
                heapBefore / 1048576.0, nodes.heapBytes(0) / 1048576.0, nodes.residentBytes(0) >> 20);
    }

    /** A lookup each millisecond, one at a time, at the first node. */
    private void probe(RpcLoops loops, AtomicBoolean over, Histogram into) {
        try {
            RpcClient node = client(loops, addresses.get(0));
            while (!over.get()) {
                long begun = System.nanoTime();
                answered(node.call(
                        "tagDiscover",
                        new Discovery.tagDiscover_args(new TagDiscoveryQuery(List.of("probe"))),
                        Discovery.tagDiscover_result::new,
                        DEADLINE));
                into.recordValue(System.nanoTime() - begun);
                TimeUnit.MILLISECONDS.sleep(1);
            }
            node.close();
        } catch (Exception e) {
            throw new IllegalStateException("a lookup failed", e);
        }
    }

    /** A tree of classes with labels and comments, of about 420 bytes each. */
    private static OntologyFile taxonomy(int count) {
        StringBuilder text = new StringBuilder(count * 430);
        String ns = "http://example.org/taxonomy#";
        for (int i = 0; i < count; i++) {
            text.append('<')
                    .append(ns)
                    .append("Class")
                    .append(i)
                    .append("> a <http://www.w3.org/2002/07/owl#Class> ;\n");
            if (i > 0) {
                text.append("  <http://www.w3.org/2000/01/rdf-schema#subClassOf> <")
                        .append(ns)
                        .append("Class")
                        .append((i - 1) / 4)
                        .append("> ;\n");
            }
            text.append("  <http://www.w3.org/2000/01/rdf-schema#label> \"class number ")
                    .append(i)
                    .append("\" ;\n");
            text.append("  <http://www.w3.org/2000/01/rdf-schema#comment> \"")
                    .append("c".repeat(120))
                    .append(i);
            text.append("\" .\n");
        }
        return new OntologyFile(
                new Iri("http://example.org/taxonomy"),
                RdfFormat.TURTLE,
                text.toString().getBytes(StandardCharsets.UTF_8));
    }

    // ------------------------------------------------------------ tags

    private void register(RegistryClient client) {
        int count = number("--tags", 100_000);
        long begun = System.nanoTime();
        for (int i = 0; i * TAGS_PER_INSTANCE < count; i++) {
            List<Tag> of = new ArrayList<>();
            while (of.size() < TAGS_PER_INSTANCE) {
                String tag = dbpedia.anyTag(i, random);
                of.add(Tag.parse(tag));
                tags.add(tag);
            }
            client.advertise(request("s" + i, of));
        }
        out.printf("registered %,d tags in %.1f s%n", tags.size(), (System.nanoTime() - begun) / 1e9);
    }

    private static RegisterRequest request(String name, List<Tag> of) {
        return new RegisterRequest(
                Instance.of(new ServiceName(name), HostPort.parse("10.0.0.1:80")),
                of,
                Optional.of(Duration.ofHours(1)),
                RegisterMode.REPLACE,
                OptionalLong.empty());
    }

    private List<MatchQuery> queries(int limit) {
        List<MatchQuery> queries = new ArrayList<>();
        while (queries.size() < QUERIES) {
            queries.add(
                    MatchQuery.of(TagPattern.parse(dbpedia.anyPattern(random))).limitedTo(limit));
        }
        return queries;
    }

    // ------------------------------------------------------------ questions

    private void query(RpcLoops loops) throws Exception {
        List<Discovery.semanticDiscover_args> questions = queries(10).stream()
                .map(query -> new Discovery.semanticDiscover_args(WireMeaning.toWire(query)))
                .toList();
        RpcClient node = client(loops, addresses.get(0));
        Histogram status = new Histogram(HOUR_NANOS, 3);
        Histogram semantic = new Histogram(HOUR_NANOS, 3);
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(number("--seconds", 5));
        for (int i = 0; System.nanoTime() - endNanos < 0; i++) {
            if (i == 1_000) {
                status.reset();
                semantic.reset();
            }
            time(status, node, "status", new Discovery.status_args(), Discovery.status_result::new);
            time(
                    semantic,
                    node,
                    "semanticDiscover",
                    questions.get(i % questions.size()),
                    Discovery.semanticDiscover_result::new);
        }
        node.close();
        out.printf("one at a time, status:           %s%n", summary(status));
        out.printf("one at a time, semanticDiscover: %s%n", summary(semantic));
        out.printf(
                "semanticDiscover : status at p99: %.1f%n",
                semantic.getValueAtPercentile(99) / (double) status.getValueAtPercentile(99));
        List<RpcClient> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(client(loops, addresses.get(i % addresses.size())));
        }
        LoopOutcome outcome = new ClosedLoop(
                        CONNECTIONS,
                        IN_FLIGHT,
                        System::nanoTime,
                        connection -> questions(clients.get(connection), questions))
                .run(Duration.ofSeconds(number("--seconds", 5)));
        clients.forEach(RpcClient::close);
        out.printf("semanticDiscover, %d x %d: %s%n", CONNECTIONS, IN_FLIGHT, outcome.summary());
    }

    private static Supplier<CompletionStage<?>> questions(
            RpcClient client, List<Discovery.semanticDiscover_args> questions) {
        int[] next = {client.hashCode() & 0xFFFF};
        return () -> client.call(
                "semanticDiscover",
                questions.get(next[0]++ % questions.size()),
                Discovery.semanticDiscover_result::new,
                DEADLINE);
    }

    static <R extends TBase<?, ?>> void time(
            Histogram into, RpcClient node, String method, TBase<?, ?> arguments, Supplier<R> newResult)
            throws Exception {
        long begun = System.nanoTime();
        answered(node.call(method, arguments, newResult, DEADLINE));
        into.recordValue(System.nanoTime() - begun);
    }

    // ------------------------------------------------------------ a client's own copy

    private void copy(RegistryClient client) throws Exception {
        long begun = System.nanoTime();
        try (SemanticCopy copy = SemanticCopy.of(client)) {
            copy.awaitReady(DEADLINE);
            out.printf("copy of %,d tags after %.2f s%n", copy.size(), (System.nanoTime() - begun) / 1e9);
            List<MatchQuery> held = queries(10).subList(0, 100);
            Histogram first = new Histogram(HOUR_NANOS, 3);
            for (MatchQuery query : held) {
                long asked = System.nanoTime();
                copy.discover(query);
                first.recordValue(System.nanoTime() - asked);
            }
            Histogram again = new Histogram(HOUR_NANOS, 3);
            for (int i = 0; i < COPY_CALLS; i++) {
                long asked = System.nanoTime();
                copy.discover(held.get(i % held.size()));
                again.recordValue(System.nanoTime() - asked);
            }
            out.printf("copy, first answer to a query: %s%n", summary(first));
            out.printf(
                    "copy, later answers: p50 %d, p99 %d, p99.9 %d ns%n",
                    again.getValueAtPercentile(50), again.getValueAtPercentile(99), again.getValueAtPercentile(99.9));
            visible(client, copy);
        }
    }

    private void visible(RegistryClient client, SemanticCopy copy) throws Exception {
        Histogram visible = new Histogram(HOUR_NANOS, 3);
        for (int i = 0; i < VISIBLE_ROUNDS; i++) {
            int before = copy.size();
            client.advertise(request(
                    "fresh" + i, List.of(Tag.parse("<urn:fresh:" + i + "> a <" + dbpedia.anyClass(random) + ">"))));
            long answered = System.nanoTime();
            while (copy.size() == before) {
                TimeUnit.MICROSECONDS.sleep(200);
            }
            visible.recordValue(System.nanoTime() - answered);
        }
        out.printf("from the answer of a registration to its tag in the copy: %s%n", summary(visible));
    }
}
