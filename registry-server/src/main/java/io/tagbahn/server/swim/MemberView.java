// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.MemberState;

/** A member as this node sees it now. */
public record MemberView(NodeRecord record, long incarnation, MemberState state) {

    public String id() {
        return record.id();
    }

    /** Whether it takes part: alive, or suspected and not yet given up. */
    public boolean live() {
        return state == MemberState.ALIVE || state == MemberState.SUSPECT;
    }
}
