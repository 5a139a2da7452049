// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import io.tagbahn.model.Degree;
import io.tagbahn.model.MatchMode;

/**
 * How well a tag matches, in one number that sorts best first: degree, steps, tag, and the way in which it matched.
 *
 * <p>Bits from the top: 3 degree, 28 steps, 31 tag, 1 way.
 */
final class Score {

    static final long NONE = Long.MAX_VALUE;

    private static final Degree[] DEGREES = {Degree.EXACT, Degree.SPECIALISES, Degree.GENERALISES, Degree.OVERLAP};

    private Score() {}

    static long of(Degree degree, int steps, int tag, boolean otherWay) {
        return rank(degree) << 60 | (long) steps << 32 | (long) tag << 1 | (otherWay ? 1 : 0);
    }

    static Degree degree(long score) {
        return DEGREES[(int) (score >>> 60)];
    }

    static int steps(long score) {
        return (int) (score >>> 32) & 0x0FFFFFFF;
    }

    static int tag(long score) {
        return (int) (score & 0xFFFFFFFFL) >>> 1;
    }

    /** The place of a degree in {@link #DEGREES}, best first. */
    private static long rank(Degree degree) {
        return switch (degree) {
            case EXACT -> 0;
            case SPECIALISES -> 1;
            case GENERALISES -> 2;
            case OVERLAP -> 3;
        };
    }

    /** Swapped for a statement, by its subject for a concept. */
    static boolean isOtherWay(long score) {
        return (score & 1) == 1;
    }

    /** The score of another tag that matches in the same way as tag 0. */
    static long ofTag(long score, int tag) {
        return score | (long) tag << 1;
    }

    /** The score of tag 0 with one position. */
    static long one(Side side, int advertised, MatchMode mode, boolean otherWay) {
        if (side.isExact(advertised)) {
            return of(Degree.EXACT, 0, 0, otherWay);
        }
        int up = side.stepsUp(advertised);
        if (up >= 0 && mode != MatchMode.COVER) {
            return of(Degree.SPECIALISES, up, 0, otherWay);
        }
        int down = side.stepsDown(advertised);
        return down >= 0 && mode != MatchMode.SPECIALISE ? of(Degree.GENERALISES, down, 0, otherWay) : NONE;
    }

    /** The score of a statement over its three positions. */
    static long three(Side[] sides, int[] advertised, MatchMode mode, int tag, boolean otherWay) {
        boolean exact = true;
        boolean narrower = true;
        boolean broader = true;
        int stepsUp = 0;
        int stepsDown = 0;
        int stepsMixed = 0;
        for (int i = 0; i < 3; i++) {
            if (sides[i].isExact(advertised[i])) {
                continue;
            }
            int up = sides[i].stepsUp(advertised[i]);
            int down = sides[i].stepsDown(advertised[i]);
            if (up < 0 && down < 0) {
                return NONE;
            }
            exact = false;
            narrower &= up >= 0;
            broader &= down >= 0;
            stepsUp += up;
            stepsDown += down;
            stepsMixed += up < 0 ? down : down < 0 ? up : Math.min(up, down);
        }
        if (exact) {
            return of(Degree.EXACT, 0, tag, otherWay);
        }
        if (narrower && mode != MatchMode.COVER) {
            return of(Degree.SPECIALISES, stepsUp, tag, otherWay);
        }
        if (broader && mode != MatchMode.SPECIALISE) {
            return of(Degree.GENERALISES, stepsDown, tag, otherWay);
        }
        return mode == MatchMode.ANY ? of(Degree.OVERLAP, stepsMixed, tag, otherWay) : NONE;
    }
}
