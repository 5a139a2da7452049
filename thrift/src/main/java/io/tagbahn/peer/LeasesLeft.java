// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * What a home knows of leases that are about to be ended elsewhere.
 *
 * @param leftMillis what is left of each, in the order of the question; {@link #UNKNOWN} where it isn't known
 */
public record LeasesLeft(NodeView node, List<Long> leftMillis) {

    public static final long UNKNOWN = -1;

    public LeasesLeft {
        leftMillis = List.copyOf(leftMillis);
    }
}
