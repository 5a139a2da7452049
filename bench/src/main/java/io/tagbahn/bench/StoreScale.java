// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.Registry;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.ServiceNamesResult;
import io.tagbahn.wire.WireErrors;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a node needs to hold many entries: bytes of heap for each, memory of the process, time to register them and to
 * list them all; checks that none is missing.
 *
 * <p>{@code StoreScale [--entries 100000] [--tags-per-instance 100] [--jvm "-Xmx512m -XX:+UseSerialGC"]}. The node runs in
 * a process of its own, on loopback.
 */
public final class StoreScale {

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int CALLS_IN_FLIGHT = 16;
    private static final int PAGE_ENTRIES = 100_000;
    private static final String JVM_DEFAULT = "-Xmx640m -XX:+UseSerialGC";

    private final int entries;
    private final int tagsPerInstance;
    private final String jvm;
    private final PrintStream out;

    private StoreScale(Map<String, String> options, PrintStream out) {
        this.entries = Integer.parseInt(options.getOrDefault("--entries", "100000"));
        this.tagsPerInstance = Integer.parseInt(options.getOrDefault("--tags-per-instance", "100"));
        this.jvm = options.getOrDefault("--jvm", JVM_DEFAULT);
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i], args[i + 1]);
        }
        new StoreScale(options, System.out).run();
    }

    private void run() throws Exception {
        Path folder = Files.createTempDirectory("store-scale");
        try (BenchedNode node = BenchedNode.start(List.of(jvm.split(" +", -1)), 2, folder);
                RpcLoops loops = RpcLoops.start("store-scale", 1, System::nanoTime);
                RpcClient client =
                        RpcClient.create(loops, node.node(), RpcClientConfig.defaults(), new SplittableRandom(1))) {
            measure(node, client);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void measure(BenchedNode node, RpcClient client) throws Exception {
        out.printf("%d entries, %d tags an instance, node on java %s%n", entries, tagsPerInstance, jvm);
        long emptyBytes = node.heapBytes();
        out.printf("empty: heap %.1f MiB, RSS %s MiB%n", mib(emptyBytes), text(node.residentBytes()));
        long begun = System.nanoTime();
        long tagBytes = registerAll(client);
        double seconds = (System.nanoTime() - begun) / 1e9;
        OptionalLong loaded = node.residentBytes();
        long fullBytes = node.heapBytes();
        out.printf(
                "registered in %.1f s: %.0f entries/s; average tag %d bytes%n",
                seconds, entries / seconds, tagBytes / entries);
        out.printf(
                "full: heap %.1f MiB, %.0f bytes/entry, RSS %s MiB when loaded%n",
                mib(fullBytes), (double) (fullBytes - emptyBytes) / entries, text(loaded));
        begun = System.nanoTime();
        List<String> names = allNames(client);
        out.printf("listed %d entries in %.2f s%n", names.size(), (System.nanoTime() - begun) / 1e9);
        check(names);
        out.printf("RSS at the end: %s MiB%n", text(node.residentBytes()));
    }

    private static double mib(long bytes) {
        return bytes / 1048576.0;
    }

    private static String text(OptionalLong bytes) {
        return bytes.isPresent() ? Long.toString(Math.round(mib(bytes.getAsLong()))) : "?";
    }

    private String tag(int i) {
        return "<http://example.org/catalogue/obras#Livro" + i
                + "> <http://example.org/catalogue/obras#temUmGenero> <http://example.org/catalogue/generos#G"
                + i % 997 + ">";
    }

    /** The service name that goes with the instances is the one entry more. */
    private long registerAll(RpcClient client) throws InterruptedException {
        Semaphore inFlight = new Semaphore(CALLS_IN_FLIGHT);
        AtomicInteger failed = new AtomicInteger();
        long bytes = 0;
        for (int first = 0, instance = 0; first < entries; first += tagsPerInstance, instance++) {
            List<String> tags = new ArrayList<>(tagsPerInstance);
            for (int i = first; i < Math.min(entries, first + tagsPerInstance); i++) {
                String tag = tag(i);
                bytes += tag.length();
                tags.add(tag);
            }
            Instance registered = new Instance("obras", "10.1." + instance / 256 % 256 + "." + instance % 256, 8080)
                    .setId("instance-" + instance);
            inFlight.acquire();
            CompletionStage<Registry.register_result> call = client.call(
                    "register",
                    new Registry.register_args(new RegisterQuery(registered, tags).setLeaseMillis(3_600_000)),
                    Registry.register_result::new,
                    DEADLINE);
            call.whenComplete((result, error) -> {
                inFlight.release();
                if (error != null || WireErrors.error(result).isPresent()) {
                    failed.incrementAndGet();
                }
            });
        }
        inFlight.acquire(CALLS_IN_FLIGHT);
        if (failed.get() > 0) {
            throw new IllegalStateException(failed + " registrations failed");
        }
        return bytes;
    }

    private static List<String> allNames(RpcClient client)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<String> names = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            Discovery.serviceNames_args arguments = new Discovery.serviceNames_args(
                    new ServiceNamesQuery().setLimit(PAGE_ENTRIES).setCursor(cursor));
            ServiceNamesResult page = client.call(
                            "serviceNames", arguments, Discovery.serviceNames_result::new, DEADLINE)
                    .toCompletableFuture()
                    .get(2 * DEADLINE.toSeconds(), TimeUnit.SECONDS)
                    .getSuccess();
            names.addAll(page.getServiceNames());
            cursor = page.getNextCursor();
        } while (cursor != null);
        return names;
    }

    private void check(List<String> names) {
        List<String> expected = new ArrayList<>(entries + 1);
        for (int i = 0; i < entries; i++) {
            expected.add(tag(i));
        }
        expected.add("obras");
        expected.sort(Comparator.naturalOrder()); // the same as the order of bytes, as all of it is ASCII
        if (!expected.equals(names)) {
            throw new IllegalStateException(names.size() + " entries listed, " + expected.size() + " expected");
        }
        out.println("complete, each once, in order");
    }
}
