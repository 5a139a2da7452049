// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.server.service.ServiceLimits;
import io.tagbahn.server.store.StoreLimits;

/**
 * How much a node takes in, and gives out in one answer.
 *
 * @param writesQueuedMax writes that may wait for their turn
 */
public record LimitsConfig(StoreLimits store, ServiceLimits service, int writesQueuedMax) {

    /** What a message takes besides the answer: frame, method name, the fields around it. */
    private static final int ENVELOPE_BYTES = 1_024;

    static LimitsConfig of(Settings settings) {
        return new LimitsConfig(
                new StoreLimits(
                        settings.count("limits.instances"),
                        settings.count("limits.entries"),
                        settings.count("limits.tags-per-registration"),
                        settings.count("rpc.frame-bytes") / 4 * 3,
                        settings.count("limits.tombstones"),
                        settings.count("limits.operator-statuses")),
                new ServiceLimits(
                        settings.count("limits.tags-per-query"),
                        settings.count("limits.leases-per-heartbeat"),
                        settings.count("limits.names-per-page"),
                        settings.count("rpc.frame-bytes") - ENVELOPE_BYTES),
                settings.count("limits.queued-writes"));
    }
}
