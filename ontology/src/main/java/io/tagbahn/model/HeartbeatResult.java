// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.List;

/**
 * Which of the leases in a heartbeat were not renewed.
 *
 * @param unknown the registry does not know these: register again, in full
 * @param superseded a newer registration of the same instance exists: another process has taken its place
 */
public record HeartbeatResult(List<LeaseRef> unknown, List<LeaseRef> superseded) {

    public HeartbeatResult {
        unknown = List.copyOf(unknown);
        superseded = List.copyOf(superseded);
    }
}
