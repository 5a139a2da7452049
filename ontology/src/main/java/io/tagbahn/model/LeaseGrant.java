// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;
import java.util.List;

/**
 * What the registry answers to a registration.
 *
 * @param generation grows with every registration of the instance
 * @param lease how long the registration lives without a heartbeat
 * @param heartbeat how often to send one
 * @param copiesMade copies of the record made before this answer
 * @param copiesWanted copies that the cluster keeps
 */
public record LeaseGrant(
        InstanceId instanceId,
        long generation,
        Duration lease,
        Duration heartbeat,
        int copiesMade,
        int copiesWanted,
        List<TagWarning> warnings) {

    public LeaseGrant {
        warnings = List.copyOf(warnings);
    }
}
