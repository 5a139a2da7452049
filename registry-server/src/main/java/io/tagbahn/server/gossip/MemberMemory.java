// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.model.HostPort;
import java.util.List;

/** What a member has to know again after a restart. */
public interface MemberMemory {

    /** An incarnation that no earlier run has gone above; 0 at the first start. */
    long incarnation();

    /** Returns when it is kept. */
    void keepIncarnation(long incarnation);

    /** Where other members were last reached. */
    List<HostPort> peers();

    void keepPeers(List<HostPort> peers);
}
