// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.model.HostPort;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The way from the public addresses of nodes to those for members. */
@FunctionalInterface
public interface SeedLookup {

    /**
     * Asks all seeds.
     *
     * @param seeds public addresses, {@code HOST:PORT}
     * @return the addresses for members of those that answered; doesn't fail
     */
    CompletionStage<List<HostPort>> find(List<String> seeds);
}
