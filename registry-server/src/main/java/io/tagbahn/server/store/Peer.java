// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Instance;
import io.tagbahn.model.Locality;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An instance as it is handed out: the same object until the instance changes. */
public final class Peer {

    /** Field headers, lengths, the address and all numbers of an instance without any text, in any protocol of Thrift. */
    private static final int FIXED_BYTES = 160;

    private static final int ENTRY_BYTES = 12;

    private final Instance instance;
    private final int encodedBytesMax;
    private volatile @Nullable Object form;

    public Peer(Instance instance) {
        this.instance = instance;
        this.encodedBytesMax = encodedBytesMax(instance);
    }

    public Instance instance() {
        return instance;
    }

    /** A bound on the bytes that the peer takes in an answer. */
    public int encodedBytesMax() {
        return encodedBytesMax;
    }

    /**
     * The form that an edge gives to the instance, made when it is first asked for and kept. It must never be changed:
     * all threads share it. One form is kept; edges that take turns make theirs again.
     */
    public <T> T form(Class<T> type, Function<? super Instance, ? extends T> make) {
        Object kept = form;
        if (type.isInstance(kept)) {
            return type.cast(kept);
        }
        T made = make.apply(instance);
        form = made;
        return made;
    }

    /** A bound on the bytes that an instance takes in a message. */
    public static int encodedBytesMax(Instance instance) {
        int bytes = FIXED_BYTES
                + Utf8.length(instance.id().value())
                + Utf8.length(instance.serviceName().value())
                + instance.host().toString().length();
        Locality locality = instance.locality();
        bytes += length(locality.node()) + length(locality.zone()) + length(locality.region());
        for (String port : instance.namedPorts().keySet()) {
            bytes += ENTRY_BYTES + Utf8.length(port);
        }
        for (Map.Entry<String, String> entry : instance.metadata().entrySet()) {
            bytes += ENTRY_BYTES + Utf8.length(entry.getKey()) + Utf8.length(entry.getValue());
        }
        return bytes;
    }

    private static int length(Optional<String> place) {
        return place.isPresent() ? Utf8.length(place.get()) : 0;
    }

    @Override
    public String toString() {
        return instance.toString();
    }
}
