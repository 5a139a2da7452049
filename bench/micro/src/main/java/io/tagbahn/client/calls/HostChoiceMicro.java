// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.ServiceName;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a caller adds to a call: the choice of one of many hosts, and a whole guarded call of a function that does nothing. */
@State(Scope.Thread)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HostChoiceMicro {

    /** In three zones, of which the caller is in one. */
    private static final int HOSTS = 1_000;

    private final CallerConfig config = CallerConfig.defaults().near(zone(1));
    private final List<Instance> instances =
            IntStream.range(0, HOSTS).mapToObj(HostChoiceMicro::host).toList();
    private final HostRoster roster = listed(config, instances);
    private final HostChoice choice = new HostChoice(config.spread(), 64, System::nanoTime, new SplittableRandom(1));
    private final Caller caller = Caller.of(instances, CallTarget.named("works"), config);

    private static HostRoster listed(CallerConfig config, List<Instance> instances) {
        HostRoster roster = new HostRoster(config, System::nanoTime, new CallTally(CallListener.NONE));
        roster.listed(instances, true);
        return roster;
    }

    private static Locality zone(int number) {
        return new Locality(Optional.empty(), Optional.of("zone-" + number % 3), Optional.empty());
    }

    private static Instance host(int number) {
        return Instance.of(new ServiceName("works"), HostPort.parse("10.0.0.1:8080"))
                .withId(new InstanceId("works-" + number))
                .withLocality(zone(number));
    }

    @Benchmark
    public Object chooseHost() {
        HostChoice.Chosen chosen = choice.choose(roster.hosts(), List.of()).orElseThrow();
        long now = System.nanoTime();
        chosen.host().settle(chosen.permit(), TrackedHost.FailureOrAnswer.ANSWER, now - 1_000_000, now, false);
        return chosen;
    }

    @Benchmark
    public Object blockingCall() {
        return caller.call(Idempotency.IDEMPOTENT, host -> host);
    }

    @Benchmark
    public Object asyncCall() {
        return caller.callAsync(Idempotency.IDEMPOTENT, CompletableFuture::completedFuture);
    }
}
