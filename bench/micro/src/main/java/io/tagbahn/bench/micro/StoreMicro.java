// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.micro;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.peer.RegisterCommand;
import io.tagbahn.server.store.Granted;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.RegistrationStore;
import io.tagbahn.server.store.StoreLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The store of a node: 1,000 instances with 100 tags each, shared by some. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreMicro {

    private static final int INSTANCES = 1_000;
    private static final int TAGS_EACH = 100;
    private static final int TAGS = 20_000;
    private static final long CLOCK_MILLIS = 1_700_000_000_000L;
    private static final Now NOW = new Now(0, CLOCK_MILLIS);

    private final RegistrationStore store = new RegistrationStore(StoreLimits.defaults(), LeaseTerms.defaults());
    private final List<RegisterCommand> commands =
            IntStream.range(0, INSTANCES).mapToObj(StoreMicro::command).toList();
    private final List<String> asked =
            IntStream.range(0, INSTANCES).mapToObj(i -> tag(i * 20)).toList();
    private final long[] generations = new long[INSTANCES];
    private int next;

    private static String tag(int number) {
        return "<http://example.org/works#Work" + number + "> <http://example.org/works#hasGenre>"
                + " <http://example.org/genres#Genre" + number % 97 + ">";
    }

    private static RegisterCommand command(int number) {
        List<String> tags = IntStream.range(0, TAGS_EACH)
                .mapToObj(i -> tag((number * 20 + i) % TAGS))
                .sorted()
                .toList();
        Instance instance = Instance.of(new ServiceName("works"), HostPort.parse("10.0.0.1:8080"))
                .withId(new InstanceId("works-" + number));
        return new RegisterCommand(
                instance, tags, Optional.of(Duration.ofHours(1)), RegisterMode.REPLACE, OptionalLong.empty());
    }

    @Setup
    public void fill() {
        for (int i = 0; i < INSTANCES; i++) {
            generations[i] = store.register(commands.get(i), NOW).generation();
        }
    }

    private int next() {
        return next++ % INSTANCES;
    }

    /** An instance with its 100 tags anew, in a newer generation. */
    @Benchmark
    public Granted register() {
        int number = next();
        Granted granted = store.register(commands.get(number), NOW);
        generations[number] = granted.generation();
        return granted;
    }

    @Benchmark
    public HeartbeatResult heartbeat() {
        int number = next();
        InstanceId id = commands.get(number).instance().id();
        return store.heartbeat(List.of(new LeaseRef(id, generations[number])), NOW);
    }

    /** The instances of a tag, five of them; answers how many they are. */
    @Benchmark
    public int lookup() {
        int[] seen = {0};
        store.forEachPeer(asked.get(next()), peer -> seen[0]++);
        return seen[0];
    }
}
