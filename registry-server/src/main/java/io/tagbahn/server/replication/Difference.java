// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What two nodes have to tell each other about the keys of some buckets.
 *
 * @param send keys of which ours is newer, or that the other lacks
 * @param fetch keys of which the other's is newer, or that we lack
 */
public record Difference(List<String> send, List<String> fetch) {

    public Difference {
        send = List.copyOf(send);
        fetch = List.copyOf(fetch);
    }

    /** Tombstones are entries like others: what one side lacks, it has not heard of. */
    public static Difference of(Map<String, Version> ours, Map<String, Version> theirs) {
        List<String> send = new ArrayList<>();
        List<String> fetch = new ArrayList<>();
        ours.forEach((key, version) -> {
            Version their = theirs.get(key);
            if (their == null || version.compareTo(their) > 0) {
                send.add(key);
            } else if (version.compareTo(their) < 0) {
                fetch.add(key);
            }
        });
        for (String key : theirs.keySet()) {
            if (!ours.containsKey(key)) {
                fetch.add(key);
            }
        }
        return new Difference(send, fetch);
    }
}
