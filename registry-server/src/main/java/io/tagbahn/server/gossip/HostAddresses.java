// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.model.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses behind members' host names, looked up beside the thread that asks, and again after a while.
 *
 * <p>Used by one thread; until a name is found, there is no address, and a datagram to it is lost.
 */
final class HostAddresses {

    /** Names remembered; past it all are looked up anew. */
    private static final int NAMES_MAX = 10_000;

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(HostAddresses.class);

    private final Map<String, Found> byName = new HashMap<>();
    private final Executor lookups;
    private final Executor owner;

    private record Found(@Nullable InetAddress address, long askedNanos) {}

    /**
     * @param lookups where names are looked up; may block
     * @param owner the thread that asks
     */
    HostAddresses(Executor lookups, Executor owner) {
        this.lookups = lookups;
        this.owner = owner;
    }

    Optional<InetSocketAddress> of(HostPort to, long nowNanos) {
        Optional<InetAddress> literal = to.host().address();
        if (literal.isPresent()) {
            return Optional.of(new InetSocketAddress(literal.get(), to.port()));
        }
        String name = to.host().toString();
        Found found = byName.get(name);
        if (found == null || nowNanos - found.askedNanos() > FRESH_NANOS) {
            if (byName.size() >= NAMES_MAX) {
                byName.clear();
            }
            byName.put(name, new Found(found == null ? null : found.address(), nowNanos));
            lookups.execute(() -> lookUp(name));
        }
        InetAddress address = found == null ? null : found.address();
        return address == null ? Optional.empty() : Optional.of(new InetSocketAddress(address, to.port()));
    }

    private void lookUp(String name) {
        try {
            InetAddress address = InetAddress.getByName(name);
            owner.execute(() -> byName.computeIfPresent(name, (same, found) -> new Found(address, found.askedNanos())));
        } catch (UnknownHostException e) {
            log.debug("no address for {}", name);
        }
    }
}
