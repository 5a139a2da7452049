// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

/**
 * The version of an entry: the higher generation wins; of equal ones the higher content hash, as an unsigned number, so
 * that all nodes choose alike.
 *
 * @param contentHash of the entry's content, a tombstone's included
 */
public record Version(long generation, long contentHash) implements Comparable<Version> {

    @Override
    public int compareTo(Version other) {
        int order = Long.compare(generation, other.generation);
        return order != 0 ? order : Long.compareUnsigned(contentHash, other.contentHash);
    }
}
