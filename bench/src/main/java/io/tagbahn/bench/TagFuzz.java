// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Instance;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.wire.WireErrors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.thrift.TBase;

/**
 * Sends a node tags that are broken in all manners: each must be refused by its place, or be found afterwards under the
 * spelling in which it was sent and under its canonical one; and a good tag must be found as before throughout.
 *
 * <p>Arguments: HOST:PORT of a node, minutes (10), seed (1). Ends with 1 where the node does otherwise.
 */
public final class TagFuzz {

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int MUTATIONS_MAX = 6;
    private static final int GOOD_EVERY = 100;
    private static final int REPEATS_MAX = 2_000;
    private static final String GOOD_TAG = "<urn:good> <urn:tag> \"caf\u00e9\"";
    private static final String[] PIECES = {
        "<",
        ">",
        "\"",
        "\\",
        " ",
        "\t",
        "\n",
        "\u0000",
        "\u007f",
        "\u0085",
        "\u2028",
        "\ufeff",
        "\ufffd",
        "\uffff",
        "_:b",
        "a",
        " a ",
        ".",
        " .",
        "*",
        "^^",
        "@",
        "@en-",
        "\\u0041",
        "\\u0020",
        "\\u003E",
        "\\uD800",
        "\\uDC00\\uD800",
        "\\U0001F600",
        "\\U00110000",
        "\\u12",
        "%",
        "%4",
        "%zz",
        "%41",
        "#",
        ":",
        "::",
        "//",
        "http://",
        "javascript:alert(1)",
        "data:,x",
        "urn:",
        "\ud83d\ude00",
        "e\u0301",
        "<http://x/>",
        "^^<http://www.w3.org/2001/XMLSchema#decimal>",
        "1e400",
        "-0.0",
        "^^<http://www.w3.org/2001/XMLSchema#dateTime>",
        "2024-02-30T24:00:00Z",
        "[",
        "]",
        "{",
        "}",
        "|",
        "`",
        "^"
    };

    private final RpcClient node;
    private final List<String> triples;
    private final SplittableRandom random;
    private long accepted;
    private long refused;

    private TagFuzz(RpcClient node, List<String> triples, SplittableRandom random) {
        this.node = node;
        this.triples = triples;
        this.random = random;
    }

    public static void main(String[] args) throws Exception {
        HostPort address = HostPort.parse(args[0]);
        Duration duration = Duration.ofMinutes(args.length > 1 ? Long.parseLong(args[1]) : 10);
        long seed = args.length > 2 ? Long.parseLong(args[2]) : 1;
        SplittableRandom random = new SplittableRandom(seed);
        InetSocketAddress socket =
                InetSocketAddress.createUnresolved(address.host().toString(), address.port());
        try (RpcLoops loops = RpcLoops.start("tag-fuzz", 1, System::nanoTime);
                RpcClient node = RpcClient.create(loops, socket, RpcClientConfig.defaults(), random.split())) {
            TagFuzz fuzz = new TagFuzz(node, triples(), random);
            try {
                fuzz.run(System.nanoTime() + duration.toNanos());
            } catch (IllegalStateException e) {
                System.err.println("seed " + seed + ": " + e.getMessage());
                System.exit(1);
            }
            System.out.printf(
                    "seed %d: %,d tags accepted and found, %,d refused by their place, nothing amiss%n",
                    seed, fuzz.accepted, fuzz.refused);
        }
    }

    private static List<String> triples() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(TagFuzz.class.getResourceAsStream("dbpedia-1000.nt")),
                StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }

    private void run(long endNanos) throws Exception {
        expect(register("good", GOOD_TAG).isEmpty(), GOOD_TAG, "is refused");
        for (long i = 0; System.nanoTime() - endNanos < 0; i++) {
            String text = broken();
            if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
                attempt(text);
            }
            if (i % GOOD_EVERY == 0) {
                expect(register("good", GOOD_TAG).isEmpty(), GOOD_TAG, "is refused");
                expect(found(GOOD_TAG), GOOD_TAG, "is no longer found");
            }
        }
    }

    private void attempt(String text) throws Exception {
        Optional<String> spelling = spelling(text);
        Optional<RegistryException> error = register("fuzzed", text);
        if (error.isPresent()) {
            boolean placed =
                    error.get() instanceof InvalidArgument e && e.field().equals("serviceTags[0]");
            expect(placed, text, "is refused with " + error.get());
            expect(spelling.isEmpty(), text, "is refused, though it is a tag: " + error.get());
            refused++;
        } else {
            expect(spelling.isPresent(), text, "is accepted, though it is no tag");
            expect(found(text), text, "is not found under the spelling that was sent");
            expect(found(spelling.orElseThrow()), text, "is not found under its canonical spelling");
            accepted++;
        }
    }

    private static Optional<String> spelling(String text) {
        try {
            return Optional.of(Tag.parse(text).spelling());
        } catch (InvalidArgument e) {
            return Optional.empty();
        }
    }

    private static void expect(boolean condition, String text, String otherwise) {
        if (!condition) {
            throw new IllegalStateException("'" + text + "' " + otherwise);
        }
    }

    private String broken() {
        StringBuilder text = new StringBuilder(triples.get(random.nextInt(triples.size())));
        int mutations = random.nextInt(MUTATIONS_MAX);
        for (int i = 0; i < mutations && !text.isEmpty(); i++) {
            int at = random.nextInt(text.length());
            String piece = PIECES[random.nextInt(PIECES.length)];
            switch (random.nextInt(8)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.setLength(at);
                case 2 -> text.delete(0, at);
                case 3 -> text.replace(at, Math.min(text.length(), at + 1 + random.nextInt(4)), piece);
                case 4 -> text.insert(at, piece.repeat(1 + random.nextInt(random.nextInt(20) == 0 ? REPEATS_MAX : 3)));
                case 5 -> text.setCharAt(at, (char) random.nextInt(0x10000));
                case 6 -> text.insert(at, text.substring(random.nextInt(text.length())));
                default -> text.insert(at, piece);
            }
        }
        return text.toString();
    }

    private Optional<RegistryException> register(String name, String tag) throws Exception {
        RegisterQuery query = new RegisterQuery(new Instance(name, "10.0.0.1", 8080), List.of(tag));
        return WireErrors.error(
                call("advertise", new Discovery.advertise_args(query), Discovery.advertise_result::new));
    }

    private boolean found(String tag) throws Exception {
        TagDiscoveryQuery query = new TagDiscoveryQuery(List.of(tag));
        Discovery.tagDiscover_result result =
                call("tagDiscover", new Discovery.tagDiscover_args(query), Discovery.tagDiscover_result::new);
        return result.isSetSuccess() && result.getSuccess().getPeers().containsKey(tag);
    }

    private <R extends TBase<?, ?>> R call(String method, TBase<?, ?> arguments, Supplier<R> newResult)
            throws InterruptedException, ExecutionException, TimeoutException {
        return node.call(method, arguments, newResult, DEADLINE)
                .toCompletableFuture()
                .get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
