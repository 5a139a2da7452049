// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import io.tagbahn.bench.WireCall;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.thrift.LeaseRef;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The instances of a measurement, as many as are needed: each has tags of its own, and shares its service's name with some. */
final class Population {

    /** Services among which the instances are. */
    static final int SERVICES = 1_000;

    private final int tagsPerInstance;
    private final long start;
    private final List<Long> generations = new ArrayList<>();

    /** @param start the first generation: milliseconds of the clock */
    Population(int tagsPerInstance, long start) {
        this.tagsPerInstance = tagsPerInstance;
        this.start = start;
    }

    static ServiceName service(int index) {
        return new ServiceName("scale-" + index % SERVICES);
    }

    static HostPort address(int index) {
        return HostPort.parse(
                "10." + (1 + index / 62_500) + "." + index / 250 % 250 + "." + (1 + index % 250) + ":8080");
    }

    static String id(int index) {
        return Instance.of(service(index), address(index)).id().value();
    }

    static String tag(int number) {
        return "<http://example.org/scale/works#Work" + number + "> <http://example.org/scale/works#hasGenre>"
                + " <http://example.org/scale/genres#Genre" + number % 997 + ">";
    }

    List<String> tags(int index) {
        return IntStream.range(index * tagsPerInstance, (index + 1) * tagsPerInstance)
                .mapToObj(Population::tag)
                .toList();
    }

    /** Different entries of so many instances, their services' names among them. */
    static int entries(int instances, int tagsPerInstance) {
        return instances * tagsPerInstance + Math.min(instances, SERVICES);
    }

    /** Registers an instance, in a generation above the one before. */
    synchronized WireCall<?, ?> register(int index) {
        while (generations.size() <= index) {
            generations.add(start);
        }
        long newer = generations.get(index) + 1;
        generations.set(index, newer);
        List<Tag> tags = tags(index).stream().map(Tag::parse).toList();
        return WireCall.register(service(index), address(index), tags, RegisterMode.REPLACE, newer);
    }

    synchronized LeaseRef lease(int index) {
        return WireCall.lease(service(index), address(index), generations.get(index));
    }

    WireCall<?, ?> heartbeat(int first, int count, int of) {
        return WireCall.heartbeat(IntStream.range(first, first + count)
                .mapToObj(i -> lease(i % of))
                .toList());
    }

    /** The next call of an operation. */
    WireCall<?, ?> call(ScaleOperation operation, int index) {
        return switch (operation) {
            case REGISTER -> register(index);
            case HEARTBEAT -> WireCall.heartbeat(List.of(lease(index)));
            case DISCOVER_ONE -> WireCall.tagDiscover(List.of(tag(index * tagsPerInstance)));
            case DISCOVER_ALL -> WireCall.tagDiscover(tags(index));
        };
    }
}
