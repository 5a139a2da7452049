// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be done about one node that doesn't hold what it should.
 *
 * @param send instances of which it has to be told
 * @param fetch instances of which it may know more
 * @param doubted what it holds of instances that aren't known to their first home
 */
public record Repair(List<InstanceId> send, List<InstanceId> fetch, List<Holding> doubted) {

    public Repair {
        send = List.copyOf(send);
        fetch = List.copyOf(fetch);
        doubted = List.copyOf(doubted);
    }

    /**
     * Works it out.
     *
     * @param expected what it should hold
     * @param actual what it says that it holds
     * @param most instances that one repair takes up; the others are for the next
     */
    public static Repair of(List<Holding> expected, List<Holding> actual, int most) {
        Map<InstanceId, Holding> there = new HashMap<>();
        actual.forEach(holding -> there.put(holding.id(), holding));
        List<InstanceId> send = new ArrayList<>();
        List<InstanceId> fetch = new ArrayList<>();
        List<Holding> doubted = new ArrayList<>();
        int taken = 0;
        for (Holding should : expected) {
            Holding does = there.remove(should.id());
            if (taken == most || (does != null && does.equals(should))) {
                continue;
            }
            taken++;
            if (does != null && isNewer(does, should)) {
                fetch.add(should.id());
            } else if (does != null
                    && does.generation() == should.generation()
                    && does.kind() == Holding.Kind.RECORD
                    && should.kind() == Holding.Kind.RECORD) {
                // Parts of one generation unite: each may know of parts that the other doesn't.
                send.add(should.id());
                fetch.add(should.id());
            } else {
                send.add(should.id());
            }
        }
        for (Holding does : there.values()) {
            if (taken == most) {
                break;
            }
            taken++;
            if (does.kind() == Holding.Kind.TOMBSTONE) {
                fetch.add(does.id());
            } else {
                doubted.add(does);
            }
        }
        return new Repair(send, fetch, doubted);
    }

    /** A deregistration stands over its own generation. */
    private static boolean isNewer(Holding does, Holding should) {
        return does.generation() > should.generation()
                || (does.generation() == should.generation()
                        && does.kind() == Holding.Kind.TOMBSTONE
                        && should.kind() != Holding.Kind.TOMBSTONE);
    }
}
