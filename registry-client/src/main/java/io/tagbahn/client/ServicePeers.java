// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Freshness;
import io.tagbahn.model.Instance;
import java.util.List;

/**
 * The live instances of a service.
 *
 * @param instances at least one, in no particular order ({@link RegistryClient#near} gives them one)
 * @param degraded true where the answer may be incomplete or stale
 * @param freshness how old the answer is
 */
public record ServicePeers(List<Instance> instances, boolean degraded, Freshness freshness) {

    public ServicePeers {
        instances = List.copyOf(instances);
    }

    /** An answer to this very call. */
    public ServicePeers(List<Instance> instances, boolean degraded) {
        this(instances, degraded, Freshness.NOW);
    }
}
