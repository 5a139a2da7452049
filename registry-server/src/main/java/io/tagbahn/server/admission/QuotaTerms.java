// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

/**
 * How much each caller may use of the whole cluster.
 *
 * @param perSecond calls; 0 where there is no limit
 * @param burst calls that a caller which was quiet may make at once
 */
public record QuotaTerms(long perSecond, long burst) {

    public QuotaTerms {
        if (perSecond < 0 || (perSecond > 0 && burst < 1)) {
            throw new IllegalArgumentException("perSecond " + perSecond + ", burst " + burst);
        }
    }

    public boolean isLimited() {
        return perSecond > 0;
    }
}
