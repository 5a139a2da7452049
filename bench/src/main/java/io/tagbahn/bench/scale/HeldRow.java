// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

/**
 * A cluster that holds many tags.
 *
 * @param fillSeconds to register all, 16 calls at a time
 * @param residentBytes of the process that takes most
 * @param heapBytes of the node that uses most, after a collection
 * @param listSeconds to list all entries, in pages
 * @param listed entries, each counted once
 * @param expected entries that there are
 */
public record HeldRow(
        Setup setup,
        double fillSeconds,
        long residentBytes,
        long heapBytes,
        double listSeconds,
        int listed,
        int expected) {

    public boolean isComplete() {
        return listed == expected;
    }
}
