// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

/** Which degrees a query accepts. */
public enum MatchMode {
    /** {@link Degree#EXACT} and {@link Degree#SPECIALISES}: what was asked for, or a kind of it. */
    SPECIALISE,
    /** {@link Degree#EXACT} and {@link Degree#GENERALISES}: what covers all that was asked for. */
    COVER,
    /** All degrees, best first. */
    ANY;

    public boolean accepts(Degree degree) {
        return switch (this) {
            case SPECIALISE -> degree == Degree.EXACT || degree == Degree.SPECIALISES;
            case COVER -> degree == Degree.EXACT || degree == Degree.GENERALISES;
            case ANY -> true;
        };
    }
}
