// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members that have gone without handing over what they held, since what they held was last made good.
 *
 * <p>Of each entry there are k copies and of each record three: as long as fewer are lost together, nothing is.
 */
final class Losses {

    private final Set<String> lost = new HashSet<>();

    /** Takes in a change of view. */
    void see(ClusterView before, ClusterView now) {
        for (Map.Entry<String, ClusterMember> entry : before.reachable().entrySet()) {
            Stage then = entry.getValue().stage();
            ClusterMember member = now.reachable().get(entry.getKey());
            boolean gone = member == null || (member.stage() == Stage.JOINING && then != Stage.JOINING);
            if (gone && (then == Stage.READY || then == Stage.FILLED)) {
                lost.add(entry.getKey());
            }
        }
    }

    /** Whether as many were lost, or more; none count as lost from now on. */
    boolean take(int most) {
        boolean tooMany = lost.size() >= most;
        lost.clear();
        return tooMany;
    }
}
