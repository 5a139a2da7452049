// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.bench.WireCall;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws the calls of one process's load. Used by one thread at a time. */
final class Workload {

    /** Instances that a process registers over and over. */
    private static final int OWN_INSTANCES = 1_000;

    private static final HostPort OWN_ADDRESS = HostPort.parse("10.250.0.1:8080");

    private final WorkerPlan plan;
    private final Catalogue catalogue;
    private final Popularity tags;
    private final RandomGenerator random;
    private final long[] ownGenerations = new long[OWN_INSTANCES];

    Workload(WorkerPlan plan, RandomGenerator random) {
        this.plan = plan;
        this.catalogue = plan.catalogue();
        this.tags = Popularity.zipf(catalogue.tags(), plan.zipfExponent());
        this.random = random;
    }

    synchronized WireCall<?, ?> next() {
        return next(plan.mix().next(random));
    }

    synchronized WireCall<?, ?> next(Operation operation) {
        int instance = random.nextInt(catalogue.instances());
        return switch (operation) {
            case TAG_DISCOVER -> WireCall.tagDiscover(drawn());
            case DISCOVER -> WireCall.discover(Catalogue.service(instance));
            case HEARTBEAT ->
                WireCall.heartbeat(Catalogue.service(instance), Catalogue.address(instance), catalogue.generation());
            case SERVICE_NAMES -> WireCall.serviceNames();
            case REGISTER -> registration(random.nextInt(OWN_INSTANCES));
        };
    }

    private WireCall<?, ?> registration(int own) {
        List<Tag> some = drawn().stream().map(Tag::parse).distinct().toList();
        long generation = catalogue.generation() + ++ownGenerations[own];
        return WireCall.register(own(own), OWN_ADDRESS, some, RegisterMode.REPLACE, generation);
    }

    /** What this process has registered and nobody else would take out. */
    synchronized List<WireCall<?, ?>> deregistrations() {
        List<WireCall<?, ?>> calls = new ArrayList<>();
        for (int i = 0; i < OWN_INSTANCES; i++) {
            if (ownGenerations[i] > 0) {
                calls.add(WireCall.deregister(own(i), OWN_ADDRESS));
            }
        }
        return calls;
    }

    private ServiceName own(int index) {
        return new ServiceName("load-of-" + plan.number() + "-" + index);
    }

    private List<String> drawn() {
        List<String> drawn = new ArrayList<>(plan.tagsPerCall());
        for (int i = 0; i < plan.tagsPerCall(); i++) {
            drawn.add(Catalogue.tag(tags.next(random)));
        }
        return drawn;
    }
}
