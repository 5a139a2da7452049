// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What this node may let in of each caller: shares that it has drawn from the callers' accounts, according to what it has
 * used of late.
 *
 * <p>While an account can't be reached, a caller gets this node's part of the rate: that of all divided by the nodes. May be
 * used by many threads.
 */
public final class CallerQuotas {

    /** Callers that are known; whoever was quiet the longest is forgotten. */
    static final int CALLERS_MAX = 10_000;

    /** Without an answer for so long, an account counts as lost. */
    static final long LOST_NANOS = 1_000_000_000L;

    /** What was drawn and not used for so long is let go. */
    static final long IDLE_NANOS = 2_000_000_000L;

    /** More is drawn than was used, so that a caller that grows is not held up by rounds. */
    private static final double AHEAD = 1.2;

    private final QuotaTerms terms;
    private final Map<String, Share> shares = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Share> eldest) {
            return size() > CALLERS_MAX;
        }
    };
    private int nodes = 1;

    private static final class Share {
        private double calls;
        private long asked;
        private long answeredNanos;
        private long usedNanos;
        private long filledNanos;
    }

    public CallerQuotas(QuotaTerms terms) {
        this.terms = terms;
    }

    /** How many nodes share the rate. */
    public synchronized void nodes(int count) {
        nodes = Math.max(1, count);
    }

    /** Takes a call out of the caller's share; false where there is none left. */
    public synchronized boolean take(String caller, long nowNanos) {
        Share share = shares.computeIfAbsent(caller, name -> {
            Share first = new Share();
            // Its account has not been asked yet: the first calls of a caller don't wait for that.
            first.calls = Math.max(1, (double) terms.burst() / nodes / 2);
            first.answeredNanos = nowNanos;
            first.filledNanos = nowNanos;
            return first;
        });
        if (nowNanos - share.answeredNanos > LOST_NANOS) {
            double perNode = (double) terms.perSecond() / nodes;
            double filled = (double) Math.max(0, nowNanos - share.filledNanos) / 1e9 * perNode;
            share.calls = Math.min(Math.max(1, perNode), share.calls + filled);
        }
        share.filledNanos = nowNanos;
        share.usedNanos = nowNanos;
        share.asked++;
        if (share.calls < 1) {
            return false;
        }
        share.calls--;
        return true;
    }

    /** What has to be drawn from accounts now, by caller, at most so many callers; asked for in each round. */
    public synchronized Map<String, Long> wanted(int most, long nowNanos) {
        Map<String, Long> wanted = new LinkedHashMap<>();
        shares.values().removeIf(share -> nowNanos - share.usedNanos > IDLE_NANOS);
        for (Map.Entry<String, Share> each : shares.entrySet()) {
            Share share = each.getValue();
            long want = (long) Math.ceil((double) share.asked * AHEAD - share.calls);
            if (want > 0 && wanted.size() < most) {
                wanted.put(each.getKey(), want);
            } else if (want <= 0) {
                share.answeredNanos = nowNanos; // nothing is missing
            }
            share.asked = 0;
        }
        return wanted;
    }

    /** An account has answered. */
    public synchronized void drawn(String caller, long calls, long nowNanos) {
        Share share = shares.get(caller);
        if (share != null) {
            share.calls = Math.min((double) terms.burst(), share.calls + calls);
            share.answeredNanos = nowNanos;
        }
    }
}
