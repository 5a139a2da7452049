// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.HashSet;
import java.util.Set;

/**
 * The time that a suspect has to refute, counted from when this node first heard of the suspicion. It starts at the
 * longest and shrinks with each independent confirmation, the first ones counting most (Lifeguard's LHA-Suspicion).
 */
final class Suspicion {

    private final int wanted;
    private final Set<String> accusers = new HashSet<>();
    private Evidence evidence;
    private long minNanos;
    private long maxNanos;
    private long startNanos;
    private boolean hastened;

    /** @param wanted confirmations, besides the first accuser, that bring the time down to the shortest */
    Suspicion(String accuser, Evidence evidence, long nowNanos, long minNanos, long maxNanos, int wanted) {
        this.evidence = evidence;
        this.minNanos = minNanos;
        this.maxNanos = maxNanos;
        this.wanted = wanted;
        this.startNanos = nowNanos;
        accusers.add(accuser);
    }

    /** Takes up an accusation; true where it is a confirmation that was still wanted. */
    boolean confirm(String accuser) {
        return accusers.size() <= wanted && accusers.add(accuser);
    }

    Evidence evidence() {
        return evidence;
    }

    /** Shortens the times to those of stronger evidence; the time that has passed counts. */
    void strengthen(Evidence stronger, long shorterMinNanos, long shorterMaxNanos) {
        evidence = stronger;
        minNanos = shorterMinNanos;
        maxNanos = shorterMaxNanos;
    }

    /**
     * Takes the shortest time from now on: another member waited already.
     *
     * @return whether it didn't before
     */
    boolean hasten() {
        boolean first = !hastened;
        hastened = true;
        return first;
    }

    /** Gives the suspect the time back during which this process was stopped. */
    void postpone(long nanos) {
        startNanos += nanos;
    }

    long deadlineNanos() {
        return startNanos + (hastened ? minNanos : timeoutNanos(accusers.size() - 1, wanted, minNanos, maxNanos));
    }

    /** {@code max − (max − min) · log(confirmations + 1) / log(wanted + 1)}, not below {@code min}. */
    static long timeoutNanos(int confirmations, int wanted, long minNanos, long maxNanos) {
        if (confirmations >= wanted) {
            return minNanos;
        }
        double share = StrictMath.log(confirmations + 1.0) / StrictMath.log(wanted + 1.0);
        return Math.max(minNanos, maxNanos - (long) (share * (maxNanos - minNanos)));
    }
}
