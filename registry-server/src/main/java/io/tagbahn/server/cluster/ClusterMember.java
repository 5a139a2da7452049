// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.ring.RingMember;

/**
 * A node as the others see it.
 *
 * @param address of its public API
 * @param peerAddress where other nodes reach it
 * @param weight its share of the ring in relation to others; {@link RingMember#WEIGHT_USUAL} is usual
 * @param stage what it says of itself
 * @param state what the others think of it; those that are alive or suspected can be asked
 */
public record ClusterMember(
        String id,
        HostPort address,
        HostPort peerAddress,
        Locality locality,
        int weight,
        Stage stage,
        MemberState state,
        long incarnation) {

    /** Whether it is worth while to send it something. */
    public boolean isReachable() {
        return state != MemberState.DEAD && state != MemberState.LEFT;
    }

    public ClusterMember withStage(Stage newStage) {
        return new ClusterMember(id, address, peerAddress, locality, weight, newStage, state, incarnation);
    }

    RingMember onRing() {
        return new RingMember(id, locality.zone(), weight);
    }
}
