// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

/**
 * How many calls of this caller one host bears at once, learnt from what becomes of them: it grows while calls that use it up
 * are answered as fast as usual, and shrinks where the host rejects calls, or its answers take twice as long as they did or
 * half as long again as those from farther away.
 *
 * <p>Additive increase and multiplicative decrease, after TCP: at first by one for each answer, after the first shrinking by
 * a fiftieth, or a tenth where the last one is long ago; the first shrinking is by a half and others by a fifth, at most once for calls that were sent before it. Below one it is a share: a room of
 * 0.2 takes a call every fifth time, so that also many callers who call rarely don't overrun a host together. What is usual
 * is the least mean of a window of the last half minute, not the least latency: hosts answer some calls from memory and
 * others not.
 *
 * <p>Changed under the lock of the host; read by any thread.
 */
final class HostRoom {

    private static final double ROOM_FIRST = 8;
    private static final double ROOM_MIN = 0.02;
    private static final double GROWTH = 0.02;
    /** For a host that had no reason to shrink for a while. */
    private static final double GROWTH_CALM = 0.1;

    private static final long CALM_NANOS = 10_000_000_000L;
    private static final double SHRINKING_FIRST = 0.5;
    private static final double SHRINKING = 0.8;
    private static final double SLOW_TIMES = 2;
    private static final double SLOWER_THAN_FARTHER = 1.5;
    /** What scheduling adds to an answer now and then is no sign of load. */
    private static final double SLACK_NANOS = 1e6;

    private static final int WINDOW_CALLS_MIN = 10;
    private static final long WINDOW_NANOS_MIN = 100_000_000L;
    private static final long USUAL_NANOS = 15_000_000_000L;

    private final double roomMost;
    private volatile double room;
    private boolean growsFast = true;
    private boolean slow;
    private long shrunkAtNanos;
    private boolean everShrunk;

    private long windowFromNanos;
    private int windowCalls;
    private double windowSumNanos;
    private double usualNanos = Double.MAX_VALUE;
    private double usualBeforeNanos = Double.MAX_VALUE;
    private long usualFromNanos;

    HostRoom(int most, long nowNanos) {
        this.roomMost = most;
        this.room = Math.min(ROOM_FIRST, most);
        this.windowFromNanos = nowNanos;
        this.usualFromNanos = nowNanos;
    }

    double room() {
        return room;
    }

    /** @param chance drawn evenly from 0 to 1 */
    boolean takes(int pending, double chance) {
        double now = room;
        return now >= 1 ? pending < (int) now : pending == 0 && chance < now;
    }

    /**
     * A call was answered.
     *
     * @param pending calls under way until then, itself included
     * @param fartherNanos what an answer from farther away takes
     */
    void answered(int pending, double fartherNanos, long sentNanos, long nowNanos) {
        note(nowNanos - sentNanos, fartherNanos, sentNanos, nowNanos);
        double now = room;
        if (slow || pending * 2 < now) {
            return; // what isn't used says nothing of how much more it would bear
        }
        double growth = nowNanos - shrunkAtNanos < CALM_NANOS ? GROWTH : GROWTH_CALM;
        room = Math.min(roomMost, now + (growsFast ? 1 : growth * Math.min(1, now)));
    }

    /** The host is well again: what it did before says little. */
    void recovered() {
        room = Math.max(room, 1);
    }

    /** The host rejected a call, or did not answer it in time. */
    void refused(int pending, long sentNanos, long nowNanos) {
        shrink(pending, sentNanos, nowNanos);
    }

    private void note(long latencyNanos, double fartherNanos, long sentNanos, long nowNanos) {
        windowCalls++;
        windowSumNanos += latencyNanos;
        if (windowCalls < WINDOW_CALLS_MIN || nowNanos - windowFromNanos < WINDOW_NANOS_MIN) {
            return;
        }
        double mean = windowSumNanos / windowCalls;
        double most = Math.min(SLOW_TIMES * Math.min(usualNanos, usualBeforeNanos), SLOWER_THAN_FARTHER * fartherNanos);
        slow = mean > most + SLACK_NANOS;
        if (slow) {
            shrink((int) Math.ceil(room), sentNanos, nowNanos);
        }
        if (nowNanos - usualFromNanos >= USUAL_NANOS) {
            usualBeforeNanos = usualNanos;
            usualNanos = mean;
            usualFromNanos = nowNanos;
        } else {
            usualNanos = Math.min(usualNanos, mean);
        }
        windowFromNanos = nowNanos;
        windowCalls = 0;
        windowSumNanos = 0;
    }

    private void shrink(int pending, long sentNanos, long nowNanos) {
        if (everShrunk && sentNanos - shrunkAtNanos < 0) {
            return; // sent before the last shrinking: it has answered for this one as well
        }
        double share = growsFast ? SHRINKING_FIRST : SHRINKING;
        room = Math.max(ROOM_MIN, Math.min(room, Math.max(1, pending)) * share);
        shrunkAtNanos = nowNanos;
        everShrunk = true;
        growsFast = false;
    }
}
