// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.RegistrationListener;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.calls.CallFailure;
import io.tagbahn.client.calls.CallListener;
import io.tagbahn.client.calls.CallTarget;
import io.tagbahn.client.calls.CalledHost;
import io.tagbahn.client.calls.Caller;
import io.tagbahn.client.calls.Idempotency;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.ServiceName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The program of one zone of a pipeline: an instance of each stage, of which each works on a request and then calls an instance
 * of the next one. What goes to another zone is held up on its way there and back, by the caller.
 */
final class PipelineZone implements AutoCloseable {

    static final int STAGES = 5;
    /** The stage that has little room in the first zone, in the case of overload. */
    static final int SMALL_STAGE = 3;

    static final String OVERLOAD = "overload";
    static final String USUAL = "usual";

    private static final int THREADS = 200;
    private static final int WORKERS = 4;

    private final String zone;
    private final Duration work;
    private final Duration delay;
    private final RegistryClient registry;
    private final HttpCalls http = new HttpCalls();
    private final List<Semaphore> workers = new ArrayList<>();
    /** Of the small stage in the case of overload. */
    private final Semaphore oneWorker = new Semaphore(1, true);

    private final Map<Route, List<Caller>> callers = new EnumMap<>(Route.class);

    PipelineZone(String zone, Duration work, Duration delay, RegistryClient registry) {
        this.zone = zone;
        this.work = work;
        this.delay = delay;
        this.registry = registry;
        for (int stage = 0; stage < STAGES; stage++) {
            workers.add(new Semaphore(WORKERS, true));
        }
    }

    static String service(int stage) {
        return "stage-" + stage;
    }

    /** Follows the instances of some stages, for each route. */
    void follow(Duration timeout, int firstStage, int lastStage) {
        for (Route route : Route.values()) {
            List<Caller> stages = new ArrayList<>();
            for (int stage = firstStage; stage <= lastStage; stage++) {
                stages.add(Caller.of(
                        registry,
                        CallTarget.named(service(stage)),
                        route.config(zone, timeout),
                        HttpCalls::kind,
                        CallListener.NONE));
            }
            callers.put(route, stages);
        }
    }

    /** Whether the instances of both zones are known everywhere. */
    boolean knowsAll(int zones) {
        return callers.values().stream()
                .flatMap(List::stream)
                .allMatch(caller -> caller.hosts().size() == zones);
    }

    Caller caller(Route route, int place) {
        return callers.getOrDefault(route, List.of()).get(place);
    }

    /** Asks a host, by way of the delay where it is in another zone; blocks. */
    String ask(CalledHost host, String path) throws IOException, InterruptedException {
        boolean away = host.instance().locality().zone().filter(zone::equals).isEmpty();
        if (away) {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
        }
        String answer = http.get(host.address(), path, host.remaining());
        if (away) {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
        }
        return answer;
    }

    /** @param args registry, zone, work in ms, delay in ms, timeout in ms */
    public static void main(String[] args) throws IOException, InterruptedException {
        Duration timeout = Duration.ofMillis(Long.parseLong(args[4]));
        try (RegistryClient registry = RegistryClient.connect(args[0]);
                PipelineZone zone = new PipelineZone(
                        args[1],
                        Duration.ofMillis(Long.parseLong(args[2])),
                        Duration.ofMillis(Long.parseLong(args[3])),
                        registry);
                HttpService service = HttpService.start(0, THREADS, zone::answer);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Locality here = new Locality(Optional.empty(), Optional.of(args[1]), Optional.empty());
            for (int stage = 1; stage <= STAGES; stage++) {
                Instance instance = Instance.of(
                                new ServiceName(service(stage)), HostPort.parse("127.0.0.1:" + service.port()))
                        .withId(new InstanceId(service(stage) + "-" + args[1]))
                        .withLocality(here);
                registry.register(instance, List.of(), RegistrationListener.NONE);
            }
            zone.follow(timeout, 2, STAGES);
            Patience.await("the other zone", () -> zone.knowsAll(2));
            System.out.println("ready " + service.port());
            while (input.readLine() != null) {
                // nothing is said but the end
            }
        }
    }

    /** A path is {@code /ROUTE/CASE/STAGE}. */
    private HttpService.Answer answer(String path, Optional<Duration> left) throws InterruptedException {
        long startNanos = System.nanoTime();
        String[] words = path.split("/", -1);
        Route route = Route.valueOf(words[1]);
        int stage = Integer.parseInt(words[3]);
        boolean small = words[2].equals(OVERLOAD) && stage == SMALL_STAGE && zone.equals(AffinityBench.FIRST_ZONE);
        Semaphore room = small ? oneWorker : workers.get(stage - 1);
        Duration time = left.orElse(Duration.ofSeconds(1));
        if (!room.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
            return new HttpService.Answer(HttpCalls.OVERLOADED, "nobody waits for this any more");
        }
        try {
            TimeUnit.NANOSECONDS.sleep(work.toNanos() * (small ? AffinityBench.SMALL_TIMES : 1));
        } finally {
            room.release();
        }
        if (stage == STAGES) {
            return HttpService.Answer.of("done");
        }
        Duration rest = time.minusNanos(System.nanoTime() - startNanos);
        try {
            return HttpService.Answer.of(caller(route, stage - 1)
                    .call(
                            rest,
                            Idempotency.IDEMPOTENT,
                            host -> ask(host, "/" + route.name() + "/" + words[2] + "/" + (stage + 1))));
        } catch (CallFailure e) {
            return new HttpService.Answer(HttpCalls.BEHIND_FAILED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        callers.values().forEach(stages -> stages.forEach(Caller::close));
    }
}
