// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.Registration;
import io.tagbahn.client.RegistrationListener;
import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Instances that are kept registered, each under tags that no other has. */
final class Fleet {

    /** Which instance each tag leads to. */
    private final Map<String, String> instanceByTag = new LinkedHashMap<>();

    private final List<Registration> registrations = new ArrayList<>();
    private final Watcher watcher = new Watcher();

    /** What became of the registrations. */
    private static final class Watcher implements RegistrationListener {
        private final AtomicInteger lost = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private final List<Long> reregisteredNanos = new CopyOnWriteArrayList<>();

        @Override
        public void onLost(Registration registration) {
            lost.incrementAndGet();
        }

        @Override
        public void onReregistered(Registration registration) {
            reregisteredNanos.add(System.nanoTime());
        }

        @Override
        public void onSuperseded(Registration registration) {
            ended.incrementAndGet();
        }

        @Override
        public void onRefused(Registration registration, RegistryException reason) {
            ended.incrementAndGet();
        }
    }

    /** Registers instances, shared out among the clients. */
    static Fleet register(List<RegistryClient> clients, int instances, int tagsEach) {
        Fleet fleet = new Fleet();
        List<CompletableFuture<LeaseGrant>> grants = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            Instance instance = Instance.of(service("service-" + i), address(i));
            List<Tag> tags = new ArrayList<>();
            for (int t = 0; t < tagsEach; t++) {
                String tag = "urn:tag:" + (i * tagsEach + t);
                tags.add(Tag.parse(tag));
                fleet.instanceByTag.put(tag, instance.id().value());
            }
            Registration registration = clients.get(i % clients.size()).keepRegistered(instance, tags, fleet.watcher);
            fleet.registrations.add(registration);
            grants.add(registration.registered().toCompletableFuture());
        }
        grants.forEach(CompletableFuture::join);
        return fleet;
    }

    static ServiceName service(String name) {
        return new ServiceName(name);
    }

    static HostPort address(int index) {
        return HostPort.parse("10.1." + index / 250 + "." + (1 + index % 250) + ":8080");
    }

    Map<String, String> instanceByTag() {
        return instanceByTag;
    }

    List<String> tags() {
        return List.copyOf(instanceByTag.keySet());
    }

    List<Registration> registrations() {
        return registrations;
    }

    /** How often the registry has not known a registration any more. */
    int lost() {
        return watcher.lost.get() + watcher.ended.get();
    }

    /** When lost registrations were made again. */
    List<Long> reregisteredNanos() {
        return watcher.reregisteredNanos;
    }
}
