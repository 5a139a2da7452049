// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.ClusterStarter;
import io.tagbahn.bench.Progress;
import io.tagbahn.bench.RunningCluster;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.calls.CallTarget;
import io.tagbahn.client.calls.Caller;
import io.tagbahn.client.calls.Idempotency;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Backends that leak memory, are killed and started again, under callers with one policy after another. */
public final class ResilienceBench {

    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private final ResiliencePlan plan;

    private ResilienceBench(ResiliencePlan plan) {
        this.plan = plan;
    }

    public static List<ResilienceRow> run(ResiliencePlan plan, ClusterStarter clusters, Progress progress) {
        ResilienceBench bench = new ResilienceBench(plan);
        progress.at(0, "starting the registry");
        try (RunningCluster cluster = clusters.start(1, 1, List.of())) {
            HostPort registry = cluster.nodes().get(0).address();
            List<ResilienceRow> rows = new ArrayList<>();
            for (Policy policy : plan.policies()) {
                progress.at((double) rows.size() / plan.policies().size(), "calls with policy " + policy);
                rows.add(bench.measure(registry, policy));
            }
            progress.at(1, "done");
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Each policy has backends of its own, which begin alike. */
    private ResilienceRow measure(HostPort registry, Policy policy) throws IOException, InterruptedException {
        List<SupervisedBackend> backends = new ArrayList<>();
        HttpCalls http = new HttpCalls();
        try (RegistryClient client = RegistryClient.connect(registry.toString())) {
            for (int number = 0; number < plan.backends(); number++) {
                backends.add(new SupervisedBackend(registry, number, plan));
            }
            for (SupervisedBackend backend : backends) {
                backend.lookAfter();
            }
            warmUp(client, http);
            try (Caller caller = Caller.of(client, CallTarget.named(LeakingBackend.SERVICE), policy.config(plan))) {
                awaitAll(caller);
                CallLoad.Outcome outcome = CallLoad.offer(
                        plan.ratePerSecond(),
                        plan.duration(),
                        () -> caller.callAsync(
                                Idempotency.IDEMPOTENT,
                                host -> http.getAsync(host.address(), "/work", host.remaining())));
                return new ResilienceRow(
                        policy,
                        outcome,
                        caller.counters(),
                        backends.stream().mapToInt(SupervisedBackend::restarts).sum());
            }
        } finally {
            for (SupervisedBackend backend : backends) {
                backend.close();
            }
        }
    }

    /** The measuring process's own code should be compiled before the first policy is measured, not while it is. */
    private void warmUp(RegistryClient client, HttpCalls http) throws InterruptedException {
        try (Caller caller = Caller.of(client, CallTarget.named(LeakingBackend.SERVICE), Policy.ALL.config(plan))) {
            awaitAll(caller);
            CallLoad.offer(
                    50,
                    WARM_UP,
                    () -> caller.callAsync(
                            Idempotency.IDEMPOTENT,
                            host -> http.getAsync(host.address(), LeakingBackend.HEALTH, host.remaining())));
        }
    }

    private void awaitAll(Caller caller) throws InterruptedException {
        Patience.await("backends that are registered", () -> caller.hosts().size() == plan.backends());
    }
}
