// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.micro;

import io.tagbahn.server.ring.Placement;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The ring: the three owners of a key. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingMicro {

    private static final int REPLICAS = 3;
    private static final int KEYS = 4_096;

    @Param({"5", "1000"})
    int nodes;

    private Placement placement = new Placement(Ring.empty(), REPLICAS);
    private final List<String> keys = IntStream.range(0, KEYS)
            .mapToObj(key -> "http://example.org/concept/" + key)
            .toList();
    private int next;

    @Setup
    public void build() {
        List<RingMember> members = IntStream.range(0, nodes)
                .mapToObj(node -> new RingMember("node-" + node, Optional.empty(), RingMember.WEIGHT_USUAL))
                .toList();
        placement = new Placement(Ring.of(members), REPLICAS);
    }

    @Benchmark
    public List<String> owners() {
        return placement.owners(keys.get(next++ % KEYS));
    }
}
