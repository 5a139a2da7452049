// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.NodeStatus;
import io.tagbahn.thrift.Registry;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;

/**
 * Sends mutated, random and broken-off messages to a node, and checks every second that a good client is answered as
 * before.
 *
 * <p>{@code --minutes M --seed S --target HOST:PORT|self}; {@code self} is a server of its own in this process, whose
 * buffers, connections and calls are counted as well. Ends with 1 where anything was amiss.
 */
public final class FrameFuzz {

    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
    private static final Duration GOOD_CALL_DEADLINE = Duration.ofSeconds(10);
    private static final Duration SETTLE = Duration.ofSeconds(30);

    private final InetSocketAddress target;
    private final long seed;
    private final LongSupplier nanoTicker;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong goodCalls = new AtomicLong();
    private final List<String> findings = new ArrayList<>();

    FrameFuzz(InetSocketAddress target, long seed, LongSupplier nanoTicker) {
        this.target = target;
        this.seed = seed;
        this.nanoTicker = nanoTicker;
    }

    /**
     * What a run came to.
     *
     * @param findings what was amiss; empty where nothing was
     */
    record Report(long seed, long messages, long goodCalls, List<String> findings) {

        Report {
            findings = List.copyOf(findings);
        }

        void print(PrintStream out) {
            out.printf("seed %d: %d hostile messages, %d good calls between them%n", seed, messages, goodCalls);
            findings.forEach(finding -> out.println("amiss: " + finding));
            out.println(findings.isEmpty() ? "nothing amiss" : findings.size() + " findings");
        }
    }

    public static void main(String[] args) throws IOException, TException, InterruptedException {
        BufferLeaks.watch();
        Duration duration = Duration.ofMillis(
                Math.round(Double.parseDouble(option(args, "--minutes").orElse("1")) * 60_000));
        long seed = Long.parseLong(option(args, "--seed").orElse("1"));
        String target = option(args, "--target").orElse("self");
        long endNanos = System.nanoTime() + duration.toNanos();
        BooleanSupplier goesOn = () -> System.nanoTime() - endNanos < 0;
        Report report;
        if ("self".equals(target)) {
            report = self(seed, goesOn, System::nanoTime);
        } else {
            int colon = target.lastIndexOf(':');
            InetSocketAddress address =
                    new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
            report = new FrameFuzz(address, seed, System::nanoTime).run(goesOn);
        }
        report.print(System.out);
        System.exit(report.findings().isEmpty() ? 0 : 1);
    }

    private static Optional<String> option(String[] args, String name) {
        for (int i = 0; i + 1 < args.length; i += 2) {
            if (args[i].equals(name)) {
                return Optional.of(args[i + 1]);
            }
        }
        return Optional.empty();
    }

    /** Fuzzes a server of its own, which has to be as it was when all connections are gone. */
    static Report self(long seed, BooleanSupplier goesOn, LongSupplier nanoTicker)
            throws IOException, TException, InterruptedException {
        try (RpcLoops loops = RpcLoops.start("fuzzed", 1, nanoTicker);
                RpcServer server = RpcServer.start(
                        loops,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        answers(),
                        RpcLimits.defaults())) {
            FrameFuzz fuzz = new FrameFuzz(server.address(), seed, nanoTicker);
            Report report = fuzz.run(goesOn);
            long endNanos = nanoTicker.getAsLong() + SETTLE.toNanos();
            while (server.stats().connectionsOpen() > 0 && nanoTicker.getAsLong() - endNanos < 0) {
                Thread.onSpinWait();
            }
            if (server.stats().connectionsOpen() > 0 || server.stats().callsInFlight() > 0) {
                fuzz.findings.add("left behind: " + server.stats());
            }
            if (BufferLeaks.count() > 0) {
                fuzz.findings.add(BufferLeaks.count() + " buffers leaked");
            }
            return new Report(seed, report.messages(), report.goodCalls(), fuzz.findings);
        }
    }

    /** Every method, with an answer at once. */
    private static RpcService answers() {
        NodeStatus status = new NodeStatus("fuzzed", "1", true, 1, 2, 3, "4", 5);
        Discovery.status_result answer = new Discovery.status_result();
        answer.setSuccess(status);
        return RpcService.builder()
                .method("status", Discovery.status_args::new, (arguments, call) -> done(answer))
                .method(
                        "register",
                        Registry.register_args::new,
                        (arguments, call) -> done(new Registry.register_result()))
                .method(
                        "advertise",
                        Discovery.advertise_args::new,
                        (arguments, call) -> done(new Discovery.advertise_result()))
                .method(
                        "heartbeat",
                        Discovery.heartbeat_args::new,
                        (arguments, call) -> done(new Discovery.heartbeat_result()))
                .method(
                        "deregister",
                        Discovery.deregister_args::new,
                        (arguments, call) -> done(new Discovery.deregister_result()))
                .method(
                        "setStatus",
                        Discovery.setStatus_args::new,
                        (arguments, call) -> done(new Discovery.setStatus_result()))
                .method(
                        "discover",
                        Discovery.discover_args::new,
                        (arguments, call) -> done(new Discovery.discover_result()))
                .method(
                        "tagDiscover",
                        Discovery.tagDiscover_args::new,
                        (arguments, call) -> done(new Discovery.tagDiscover_result()))
                .method(
                        "serviceNames",
                        Discovery.serviceNames_args::new,
                        (arguments, call) -> done(new Discovery.serviceNames_result()))
                .method(
                        "members",
                        Discovery.members_args::new,
                        (arguments, call) -> done(new Discovery.members_result()))
                .method("owners", Discovery.owners_args::new, (arguments, call) -> done(new Discovery.owners_result()))
                .build();
    }

    private static <R extends TBase<?, ?>> CompletableFuture<R> done(R result) {
        return CompletableFuture.completedFuture(result);
    }

    /** Sends hostile messages as long as it goes on. */
    Report run(BooleanSupplier goesOn) throws TException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        FuzzFrames frames = new FuzzFrames(random);
        try (RpcLoops loops = RpcLoops.start("good-client", 1, nanoTicker);
                RpcClient good = RpcClient.create(loops, target, RpcClientConfig.defaults(), random.split());
                FuzzSocket socket = new FuzzSocket(target, random)) {
            String asBefore = identity(good);
            long checkNanos = nanoTicker.getAsLong();
            while (goesOn.getAsBoolean()) {
                socket.send(hostile(frames, random));
                sent.incrementAndGet();
                if (nanoTicker.getAsLong() - checkNanos >= CHECK_EVERY.toNanos()) {
                    checkNanos = nanoTicker.getAsLong();
                    check(good, asBefore);
                }
            }
            check(good, asBefore);
        } catch (IOException | CompletionException e) {
            findings.add("the target does not serve any more: " + e);
        }
        return new Report(seed, sent.get(), goodCalls.get(), findings);
    }

    private static byte[] hostile(FuzzFrames frames, SplittableRandom random) {
        return switch (random.nextInt(10)) {
            case 0 -> frames.randomBytes();
            case 1 -> frames.valid();
            case 2 -> FuzzFrames.joined(frames.valid(), frames.valid(), frames.mutant());
            case 3 -> FuzzFrames.joined(frames.mutant(), frames.randomBytes());
            default -> frames.mutant();
        };
    }

    private void check(RpcClient good, String asBefore) {
        String now = identity(good);
        goodCalls.incrementAndGet();
        if (!now.equals(asBefore)) {
            findings.add("a good client was answered " + now + " instead of " + asBefore);
        }
    }

    /** What a node says of itself and keeps saying. */
    private static String identity(RpcClient good) {
        NodeStatus status = good.call(
                        "status", new Discovery.status_args(), Discovery.status_result::new, GOOD_CALL_DEADLINE)
                .toCompletableFuture()
                .join()
                .getSuccess();
        return status.getId() + " " + status.getVersion() + " " + status.isReady();
    }
}
