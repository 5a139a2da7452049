// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.util.Arrays;

/** What a query asks for at one position: anything, or a class and those narrower and broader than it. */
final class Side {

    /** Matches whatever stands there. */
    static final Side ANYTHING = new Side(IntMap.ABSENT, Reach.NOTHING, Reach.NOTHING);

    private final int exact;
    private final Reach narrower;
    private final Reach broader;

    /** @param exact negative where no tag of the segment can have it */
    Side(int exact, Reach narrower, Reach broader) {
        this.exact = exact;
        this.narrower = narrower;
        this.broader = broader;
    }

    boolean isAnything() {
        return this == ANYTHING;
    }

    boolean isExact(int advertised) {
        return this == ANYTHING || advertised == exact;
    }

    /** Steps from an advertised class up to the one that is asked for; -1 where it isn't narrower. */
    int stepsUp(int advertised) {
        return narrower.distance(advertised);
    }

    /** Steps from the class that is asked for up to an advertised one; -1 where it isn't broader. */
    int stepsDown(int advertised) {
        return broader.distance(advertised);
    }

    /** The slots of all classes that may match, of all in which tags stand at this position. */
    int[] slots(Postings postings) {
        int reach = 1 + narrower.size() + broader.size();
        int[] slots = new int[Math.min(reach, postings.slots())];
        int count = 0;
        if (reach > postings.slots()) {
            for (int slot = 0; slot < postings.slots(); slot++) {
                int c = postings.classAt(slot);
                if (c == exact || stepsUp(c) >= 0 || stepsDown(c) >= 0) {
                    slots[count++] = slot;
                }
            }
            return Arrays.copyOf(slots, count);
        }
        int slot = exact < 0 ? -1 : postings.slotOf(exact);
        if (slot >= 0) {
            slots[count++] = slot;
        }
        for (int i = 0; i < narrower.size(); i++) {
            slot = postings.slotOf(narrower.classAt(i));
            if (slot >= 0) {
                slots[count++] = slot;
            }
        }
        for (int i = 0; i < broader.size(); i++) {
            slot = postings.slotOf(broader.classAt(i));
            // An instance that is also broader than its class is on both sides.
            if (slot >= 0 && narrower.distance(broader.classAt(i)) < 0) {
                slots[count++] = slot;
            }
        }
        return Arrays.copyOf(slots, count);
    }
}
