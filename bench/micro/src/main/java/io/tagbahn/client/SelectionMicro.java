// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.ServiceName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The client's choices: the node for a call, of five; the order of 20 hosts of a service by nearness. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SelectionMicro {

    private static final int NODES = 5;
    private static final int HOSTS = 20;

    private final NodePicker picker = new NodePicker(
            IntStream.range(0, NODES)
                    .boxed()
                    .collect(Collectors.toMap(node -> HostPort.parse("10.0.0.1:" + (21300 + node)), node -> 3)),
            address -> silent(),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            System::nanoTime,
            new SplittableRandom(1));
    private final Nearness nearness = new Nearness(locality(7), new SplittableRandom(2));
    private final List<Instance> hosts =
            IntStream.range(0, HOSTS).mapToObj(SelectionMicro::host).toList();

    private static RegistryNode silent() {
        return (RegistryNode) Proxy.newProxyInstance(
                RegistryNode.class.getClassLoader(),
                new Class<?>[] {RegistryNode.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException("nobody is called here");
                });
    }

    private static Locality locality(int number) {
        return new Locality(
                Optional.of("host-" + number), Optional.of("zone-" + number % 6), Optional.of("region-" + number % 2));
    }

    private static Instance host(int number) {
        return Instance.of(new ServiceName("works"), HostPort.parse("10.0.0.1:8080"))
                .withId(new InstanceId("works-" + number))
                .withLocality(locality(number));
    }

    @Benchmark
    public Object pickNode() {
        NodePicker.Pick picked = picker.pick(List.of(), Optional.empty());
        picked.answered();
        return picked;
    }

    @Benchmark
    public List<Instance> orderHosts() {
        return nearness.order(hosts);
    }
}
