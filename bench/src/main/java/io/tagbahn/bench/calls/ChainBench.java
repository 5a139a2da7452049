// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.ClusterStarter;
import io.tagbahn.bench.JavaProcess;
import io.tagbahn.bench.Progress;
import io.tagbahn.bench.RunningCluster;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A chain of four processes of which the last becomes slow, with the contract between them and without. */
public final class ChainBench {

    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xmx96m", "-XX:TieredStopAtLevel=1");
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    private final ChainPlan plan;
    private final HttpCalls http = new HttpCalls();
    private final List<ChainRow> rows = new ArrayList<>();

    private ChainBench(ChainPlan plan) {
        this.plan = plan;
    }

    public static List<ChainRow> run(ChainPlan plan, ClusterStarter clusters, Progress progress) {
        progress.at(0, "starting the registry");
        ChainBench bench = new ChainBench(plan);
        try (RunningCluster cluster = clusters.start(1, 1, List.of())) {
            HostPort registry = cluster.nodes().get(0).address();
            for (boolean contract : List.of(false, true)) {
                String words = contract ? "with the contract" : "without the contract";
                bench.measure(
                        registry,
                        contract,
                        (share, now) -> progress.at((share + (contract ? 1 : 0)) / 2, now + ", " + words));
            }
            progress.at(1, "done");
            return bench.rows;
        } catch (IOException | ExecutionException e) {
            throw new UncheckedIOException(e instanceof IOException known ? known : new IOException(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void measure(HostPort registry, boolean contract, Progress progress)
            throws IOException, InterruptedException, ExecutionException {
        List<JavaProcess> processes = new ArrayList<>();
        try {
            for (int number = ChainStage.STAGES; number >= 1; number--) {
                processes.add(JavaProcess.start(
                        JVM,
                        ChainStage.class,
                        List.of(registry.toString(), Integer.toString(number), Boolean.toString(contract))));
            }
            List<String> addresses = new ArrayList<>();
            for (JavaProcess process : processes) {
                addresses.add(process.answer("ready"));
            }
            HostPort front = HostPort.parse(addresses.get(addresses.size() - 1));
            JavaProcess last = processes.get(0);
            warmUp(front);
            phase(front, contract, "before", plan.before(), progress, 0);
            slow(last, plan.slowness());
            phase(front, contract, "slow", plan.slow(), progress, 0.3);
            slow(last, Duration.ZERO);
            phase(front, contract, "after", plan.after(), progress, 0.7);
        } finally {
            for (JavaProcess process : processes) {
                process.kill();
            }
        }
    }

    /** Code is compiled, each process learns of the next one, and whatever failed meanwhile is forgotten. */
    private void warmUp(HostPort front) throws InterruptedException {
        Patience.await(
                "the chain", () -> offered(front, ChainStage.CHAIN, WARM_UP).errors() == 0);
    }

    private static void slow(JavaProcess last, Duration slowness) throws IOException {
        last.say(Long.toString(slowness.toMillis()));
        last.answer("slow");
    }

    private void phase(
            HostPort front, boolean contract, String phase, Duration duration, Progress progress, double share)
            throws InterruptedException, ExecutionException {
        progress.at(share, "last process " + (phase.equals("slow") ? "slow" : "well"));
        CompletableFuture<CallLoad.Outcome> alone =
                CompletableFuture.supplyAsync(() -> offered(front, ChainStage.ALONE, duration));
        CallLoad.Outcome chain = offer(front, ChainStage.CHAIN, duration);
        rows.add(new ChainRow(contract, phase, "alone", alone.get()));
        rows.add(new ChainRow(contract, phase, "chain", chain));
    }

    private CallLoad.Outcome offered(HostPort front, String path, Duration duration) {
        try {
            return offer(front, path, duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private CallLoad.Outcome offer(HostPort front, String path, Duration duration) throws InterruptedException {
        return CallLoad.offer(plan.ratePerSecond(), duration, () -> http.getAsync(front, path, plan.timeout()));
    }
}
