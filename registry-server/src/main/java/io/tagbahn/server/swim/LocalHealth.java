// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/**
 * How far this node trusts its own verdicts: 0 is full trust; at a higher score it gives the others more time and
 * probes less often (Lifeguard's local health multiplier).
 */
final class LocalHealth {

    private final int max;
    private int score;

    LocalHealth(int max) {
        this.max = max;
    }

    void better() {
        worse(-1);
    }

    void worse(int by) {
        score = Math.max(0, Math.min(max, score + by));
    }

    int score() {
        return score;
    }

    long scaled(long nanos) {
        return nanos * (score + 1);
    }
}
