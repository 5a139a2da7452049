// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Member;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.ring.Placement;
import io.tagbahn.server.ring.Ring;
import io.tagbahn.server.ring.RingMember;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The cluster as one node sees it at one moment: immutable, replaced as a whole.
 *
 * @param members all nodes that this one knows of, itself among them
 * @param placement which of them own a key
 */
public record ClusterView(List<Member> members, Placement placement) {

    public ClusterView {
        members = List.copyOf(members);
    }

    /** The view of a node that is by itself. */
    public static ClusterView alone(String id, HostPort address, Locality locality, int replicas) {
        Ring ring = Ring.of(List.of(new RingMember(id, locality.zone(), RingMember.WEIGHT_USUAL)));
        Member self = new Member(id, address, MemberState.ALIVE, 1, locality, OptionalDouble.of(ring.share(id)));
        return new ClusterView(List.of(self), new Placement(ring, replicas));
    }
}
