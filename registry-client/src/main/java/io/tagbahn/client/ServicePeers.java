// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Instance;
import java.util.List;

/**
 * The live instances of a service.
 *
 * @param instances at least one, in no particular order ({@link RegistryClient#near} gives them one)
 * @param degraded true where the answer may be incomplete or stale
 */
public record ServicePeers(List<Instance> instances, boolean degraded) {

    public ServicePeers {
        instances = List.copyOf(instances);
    }
}
