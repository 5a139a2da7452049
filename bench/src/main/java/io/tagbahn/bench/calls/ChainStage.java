// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.RegistrationListener;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.calls.BulkheadConfig;
import io.tagbahn.client.calls.CallFailure;
import io.tagbahn.client.calls.CallListener;
import io.tagbahn.client.calls.CallTarget;
import io.tagbahn.client.calls.Caller;
import io.tagbahn.client.calls.CallerConfig;
import io.tagbahn.client.calls.Idempotency;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.ServiceName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The program of one process of a chain, with a thread for each request, and not many: it answers by itself what it can, and
 * for the rest calls the next one, with the contract or without. The last one can be made slow.
 */
final class ChainStage {

    static final int STAGES = 4;
    static final String ALONE = "/alone";
    static final String CHAIN = "/chain";

    private static final int THREADS = 16;
    /** Threads that may wait for the next one; the others go on answering. */
    private static final int NEXT_MAX = 8;

    private static final Duration WORK = Duration.ofMillis(2);
    /** What a client waits for by default where nobody thinks of it. */
    private static final Duration NAIVE_TIMEOUT = Duration.ofSeconds(30);

    private final @Nullable Caller next;
    private final boolean contract;
    private final HttpCalls http = new HttpCalls();
    private volatile Duration slowness = Duration.ZERO;

    private ChainStage(@Nullable Caller next, boolean contract) {
        this.next = next;
        this.contract = contract;
    }

    static String service(int stage) {
        return "chain-" + stage;
    }

    /** @param args registry, number, whether there is a contract */
    public static void main(String[] args) throws IOException, InterruptedException {
        int number = Integer.parseInt(args[1]);
        boolean contract = Boolean.parseBoolean(args[2]);
        try (RegistryClient registry = RegistryClient.connect(args[0]);
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Caller next = number == STAGES ? null : caller(registry, number + 1, contract);
            ChainStage stage = new ChainStage(next, contract);
            try (HttpService service = HttpService.start(0, THREADS, stage::answer)) {
                HostPort address = HostPort.parse("127.0.0.1:" + service.port());
                registry.register(
                        Instance.of(new ServiceName(service(number)), address), List.of(), RegistrationListener.NONE);
                System.out.println("ready " + address);
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    stage.slowness = Duration.ofMillis(Long.parseLong(line));
                    System.out.println("slow " + line);
                }
            }
        }
    }

    private static Caller caller(RegistryClient registry, int stage, boolean contract) {
        CallerConfig config = contract
                ? CallerConfig.defaults()
                        .withBulkhead(BulkheadConfig.defaults()
                                .withCallsMax(NEXT_MAX)
                                .withWaiting(0, Duration.ZERO)
                                .withPerHostMax(NEXT_MAX))
                : CallerConfig.unguarded().withTimeout(NAIVE_TIMEOUT);
        return Caller.of(registry, CallTarget.named(service(stage)), config, HttpCalls::kind, CallListener.NONE);
    }

    private HttpService.Answer answer(String path, Optional<Duration> left) throws InterruptedException {
        long startNanos = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(WORK.toNanos());
        Caller following = next;
        if (path.equals(ALONE)) {
            return HttpService.Answer.of("alone");
        }
        if (following == null) {
            TimeUnit.NANOSECONDS.sleep(slowness.toNanos());
            return HttpService.Answer.of("end");
        }
        Duration time = contract
                ? left.orElse(Duration.ofSeconds(1)).minusNanos(System.nanoTime() - startNanos)
                : NAIVE_TIMEOUT;
        try {
            return HttpService.Answer.of(following.call(
                    time, Idempotency.IDEMPOTENT, host -> http.get(host.address(), CHAIN, host.remaining())));
        } catch (CallFailure e) {
            return new HttpService.Answer(HttpCalls.BEHIND_FAILED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return new HttpService.Answer(HttpCalls.BEHIND_FAILED, e.toString());
        }
    }
}
