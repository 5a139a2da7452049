// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this node may lack copies that it had no room for.
 *
 * <p>From the first that it refuses until all others have compared with it, as homes of every rank, and found nothing
 * that it lacks. Of each other node the first comparison after a refusal doesn't count: it may have worked out before
 * what it compares.
 */
final class Shortfall {

    private static final Logger log = LoggerFactory.getLogger(Shortfall.class);

    private final int ranks;
    private final Map<String, Set<Integer>> agreed = new HashMap<>();
    private volatile boolean lacking;
    private long refusals;

    /** @param ranks of homes, each of which compares for itself */
    Shortfall(int ranks) {
        this.ranks = ranks;
    }

    boolean isLacking() {
        return lacking;
    }

    /** A copy was refused. */
    synchronized void refused() {
        refusals++;
        agreed.clear();
        if (!lacking) {
            lacking = true;
            log.warn("no room for what this node should hold: its answers count as incomplete until it lacks nothing");
        }
    }

    /** To be handed to {@link #compared} when a comparison that begins now is over. */
    synchronized long refusals() {
        return refusals;
    }

    /**
     * Another node has compared what this one should hold.
     *
     * @param refusalsBefore when the comparison began
     * @param agrees whether this node holds all that the other knows of, and nothing else
     * @param others all nodes but this one
     */
    synchronized void compared(String other, int rank, long refusalsBefore, boolean agrees, Set<String> others) {
        boolean counts = others.contains(other) && rank >= 0 && rank < ranks;
        if (!lacking || !counts || refusalsBefore != refusals) {
            return;
        }
        Set<Integer> of = agreed.get(other);
        if (of == null) {
            agreed.put(other, new HashSet<>());
        } else if (agrees) {
            of.add(rank);
        } else {
            of.remove(rank);
        }
        endIfAllAgree(others);
    }

    /** Who else there is now: nobody that is gone is waited for. */
    synchronized void keepOnly(Set<String> others) {
        agreed.keySet().retainAll(others);
        if (lacking && others.isEmpty()) {
            endIfAllAgree(others);
        }
    }

    private void endIfAllAgree(Set<String> others) {
        for (String other : others) {
            Set<Integer> of = agreed.get(other);
            if (of == null || of.size() < ranks) {
                return;
            }
        }
        lacking = false;
        agreed.clear();
        log.info("this node lacks nothing that it had no room for before");
    }
}
