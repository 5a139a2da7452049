// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.List;
import java.util.Map;

/**
 * The live instances under each of the tags that were asked for, spelt as they were asked for.
 *
 * @param instances a tag that no live instance carries is absent
 * @param degraded true where the answer may be incomplete or stale
 * @param freshness how old the answer is
 */
public record TagPeers(Map<String, List<Instance>> instances, boolean degraded, Freshness freshness) {

    public TagPeers {
        instances = Map.copyOf(instances);
    }

    /** An answer to this very call. */
    public TagPeers(Map<String, List<Instance>> instances, boolean degraded) {
        this(instances, degraded, Freshness.NOW);
    }
}
