// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import io.tagbahn.model.HostPort;
import java.util.List;

/** What a node keeps across restarts. */
public final class SimDisk {

    long incarnation;
    List<HostPort> peers = List.of();

    /** Loses everything. */
    public void wipe() {
        incarnation = 0;
        peers = List.of();
    }

    public long incarnation() {
        return incarnation;
    }
}
