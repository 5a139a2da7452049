// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.replication;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a coordinator sends for one registration: one part to each node concerned, however many tags there are.
 *
 * @param parts by node id, homes first
 */
public record WritePlan(Map<String, Part> parts, List<String> homes) {

    /**
     * What one node gets.
     *
     * @param home whether it is a home of the registration, which holds the record and its lease
     * @param tags positions of the tags that it owns, ascending
     */
    public record Part(boolean home, List<Integer> tags) {
        public Part {
            tags = List.copyOf(tags);
        }
    }

    public WritePlan {
        parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
        homes = List.copyOf(homes);
    }

    /**
     * The plan for a registration.
     *
     * @param homes ids of its homes, the first owner first
     * @param ownersByTag for each tag the ids of its owners
     */
    public static WritePlan of(List<String> homes, List<List<String>> ownersByTag) {
        Map<String, List<Integer>> tagsByNode = new LinkedHashMap<>();
        homes.forEach(home -> tagsByNode.put(home, new ArrayList<>()));
        for (int tag = 0; tag < ownersByTag.size(); tag++) {
            for (String owner : ownersByTag.get(tag)) {
                tagsByNode.computeIfAbsent(owner, id -> new ArrayList<>()).add(tag);
            }
        }
        Map<String, Part> parts = new LinkedHashMap<>();
        tagsByNode.forEach((node, tags) -> parts.put(node, new Part(homes.contains(node), tags)));
        return new WritePlan(parts, homes);
    }

    /** How many homes make a majority. */
    public int majority() {
        return homes.size() / 2 + 1;
    }

    /** Whether the write is safe: a majority of the homes has it. */
    public boolean safeWith(Set<String> acknowledged) {
        return homes.stream().filter(acknowledged::contains).count() >= majority();
    }

    /** The smallest number of owners that have any one of the tags, or the record where that is on fewer. */
    public int copies(Set<String> acknowledged) {
        Map<Integer, Integer> copies = new LinkedHashMap<>();
        int records = 0;
        for (Map.Entry<String, Part> entry : parts.entrySet()) {
            int made = acknowledged.contains(entry.getKey()) ? 1 : 0;
            records += entry.getValue().home() ? made : 0;
            entry.getValue().tags().forEach(tag -> copies.merge(tag, made, Integer::sum));
        }
        return Math.min(
                records,
                copies.values().stream().mapToInt(Integer::intValue).min().orElse(records));
    }
}
