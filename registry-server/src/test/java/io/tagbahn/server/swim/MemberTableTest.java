// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemberTableTest {

    private final MemberTable table = new MemberTable(3, new SplittableRandom(1));

    static NodeRecord node(String id, int port) {
        HostPort address = HostPort.parse("10.0.0.1:" + port);
        return new NodeRecord(id, address, address, 1, 100, Locality.UNKNOWN, Map.of());
    }

    private MemberEntry placed(String id, int port, MemberState state) {
        MemberEntry entry = new MemberEntry(node(id, port), 1, state, 0);
        table.place(entry);
        return entry;
    }

    @Test
    void drawsDifferentLiveMembers() {
        for (int i = 0; i < 30; i++) {
            placed("n" + i, 1_000 + i, i % 3 == 0 ? MemberState.DEAD : MemberState.ALIVE);
        }
        assertThat(table.draw(5, entry -> true))
                .hasSize(5)
                .doesNotHaveDuplicates()
                .allMatch(MemberEntry::live);
        assertThat(table.draw(100, entry -> true)).hasSize(20).doesNotHaveDuplicates();
        assertThat(table.draw(100, entry -> entry.id().equals("n1"))).hasSize(1);
    }

    @Test
    void ofTheGoneOnlySoManyAreRemembered() {
        for (int i = 0; i < 5; i++) {
            placed("n" + i, 1_000 + i, MemberState.DEAD);
        }
        assertThat(table.gone()).extracting(MemberEntry::id).containsExactly("n2", "n3", "n4");
        assertThat(table.get("n0")).isEmpty();
    }

    @Test
    void theDigestIsThatOfTheLiveMembersInAnyOrder() {
        Claim.Alive self = new Claim.Alive(node("self", 1), 1);
        placed("a", 2, MemberState.ALIVE);
        placed("b", 3, MemberState.SUSPECT);
        placed("c", 4, MemberState.DEAD);
        MemberTable other = new MemberTable(3, new SplittableRandom(2));
        other.place(new MemberEntry(node("self", 1), 1, MemberState.ALIVE, 9));
        other.place(new MemberEntry(node("b", 3), 1, MemberState.ALIVE, 9));
        Claim.Alive a = new Claim.Alive(node("a", 2), 1);
        assertThat(other.digest(a)).isEqualTo(table.digest(self));
        assertThat(other.digest(new Claim.Alive(node("a", 2), 2))).isNotEqualTo(table.digest(self));
    }

    @Test
    void whoDiesLeavesTheAddressFree() {
        MemberEntry entry = placed("a", 2, MemberState.ALIVE);
        assertThat(table.liveAt(entry.address())).contains(entry);
        entry.state = MemberState.DEAD;
        table.place(entry);
        assertThat(table.liveAt(entry.address())).isEmpty();
        assertThat(table.liveCount()).isZero();
        entry.state = MemberState.ALIVE;
        table.place(entry);
        assertThat(table.live()).containsExactly(entry);
        assertThat(table.gone()).isEmpty();
    }
}
