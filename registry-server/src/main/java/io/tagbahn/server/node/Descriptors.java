// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * File descriptors of a process: each connection takes one.
 *
 * @param max that it may open
 * @param open at present
 */
record Descriptors(long max, long open) {

    /** Least number of connections that clients may open, however little there is. */
    static final int CONNECTIONS_MIN = 8;

    private static final long KEPT_MIN = 32;
    private static final long KEPT_MAX = 1_024;

    /** Those of this process; absent where the machine doesn't say. */
    static Optional<Descriptors> ofThisProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? Optional.of(new Descriptors(unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount()))
                : Optional.empty();
    }

    /**
     * Connections that clients may open: as many as are allowed, but so that a quarter of all descriptors, at most
     * {@value #KEPT_MAX}, stays for other nodes and files.
     */
    int connectionsMax(int allowed) {
        long kept = Math.max(KEPT_MIN, Math.min(KEPT_MAX, max / 4));
        return (int) Math.min(allowed, Math.max(CONNECTIONS_MIN, max - open - kept));
    }
}
