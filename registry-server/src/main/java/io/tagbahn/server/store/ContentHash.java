// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Instance;
import io.tagbahn.model.Locality;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hashes of instances and of sets of entries that are the same on every node, whatever its Java. */
public final class ContentHash {

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private ContentHash() {}

    /** The hash of all fields of an instance. */
    public static long of(Instance instance) {
        long hash = of(instance.id().value());
        hash = mixed(hash, of(instance.serviceName().value()));
        hash = mixed(hash, of(instance.host().toString()));
        hash = mixed(hash, instance.port());
        hash = mixed(hash, instance.weight());
        hash = mixed(hash, of(instance.status().name()));
        hash = mixed(hash, of(instance.locality()));
        long ports = 0;
        for (Map.Entry<String, Integer> port : instance.namedPorts().entrySet()) {
            ports += mixed(of(port.getKey()), port.getValue());
        }
        long metadata = 0;
        for (Map.Entry<String, String> entry : instance.metadata().entrySet()) {
            metadata += mixed(of(entry.getKey()), of(entry.getValue()));
        }
        return mixed(mixed(hash, ports), metadata);
    }

    /** The hash of a registration that replaces whatever there was: of the instance and all entries. */
    public static long of(Instance instance, List<String> entries) {
        long sum = 0;
        for (String entry : entries) {
            sum += of(entry);
        }
        return mixed(of(instance), sum);
    }

    /**
     * Which of two registrations of one instance stands where they have the same generation: above 0 for the first, 0
     * where both do.
     *
     * @param origin of the first, the hash of the replacement that it goes back to
     */
    public static int compare(Instance instance, long origin, Instance other, long otherOrigin) {
        if (!instance.equals(other)) {
            int byInstance = Long.compareUnsigned(of(instance), of(other));
            if (byInstance != 0) {
                return byInstance;
            }
        }
        return Long.compareUnsigned(origin, otherOrigin);
    }

    private static long of(Locality locality) {
        return mixed(mixed(of(locality.node()), of(locality.zone())), of(locality.region()));
    }

    private static long of(Optional<String> place) {
        return place.isPresent() ? of(place.get()) : 1;
    }

    /** The hash of a text; the sum over a set of entries is the hash of the set. */
    public static long of(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * MULTIPLIER;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /** One hash made of two, in this order. */
    public static long mixed(long hash, long next) {
        long mixed = (Long.rotateLeft(hash, 25) ^ next) * MULTIPLIER;
        return mixed ^ mixed >>> 32;
    }
}
