// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.ServiceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A list of hosts that the test changes, and callers of them in stepped time. */
final class TestingHosts implements HostFeed {

    static final CallTarget BOOKS = CallTarget.named("books");

    private final List<Sink> sinks = new ArrayList<>();

    static Instance host(int number) {
        return Instance.of(new ServiceName("books"), HostPort.parse("10.0.0." + number % 250 + ":" + (8000 + number)))
                .withId(new InstanceId("books-" + number));
    }

    static Instance host(int number, String zone) {
        return host(number).withLocality(zone(zone));
    }

    static Locality zone(String zone) {
        return new Locality(Optional.empty(), Optional.of(zone), Optional.empty());
    }

    static List<Instance> hosts(int count) {
        return IntStream.range(0, count).mapToObj(TestingHosts::host).toList();
    }

    @Override
    public void start(Sink sink) {
        sinks.add(sink);
    }

    void list(Collection<Instance> instances) {
        list(instances, true);
    }

    void list(Collection<Instance> instances, boolean complete) {
        sinks.forEach(sink -> sink.listed(instances, complete));
    }

    @Override
    public void close() {
        sinks.clear();
    }

    Caller caller(CallerConfig config, SteppedTime time, RandomGenerator random) {
        return caller(config, time, random, CallListener.NONE);
    }

    Caller caller(CallerConfig config, SteppedTime time, RandomGenerator random, CallListener listener) {
        return Caller.started(this, BOOKS, config, FailureKind::of, listener, time, () -> {}, time, random);
    }
}
