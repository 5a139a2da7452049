// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Optional;

/** Where something runs: a machine, the zone that it stands in, the region that the zone belongs to. */
public record Locality(Optional<String> node, Optional<String> zone, Optional<String> region) {

    /** Longest name of a place, in bytes of UTF-8. */
    public static final int BYTES_MAX = 255;

    /** A place of which nothing is known. */
    public static final Locality UNKNOWN = new Locality(Optional.empty(), Optional.empty(), Optional.empty());

    /** @throws InvalidArgument where a name is empty, too long or holds a control character */
    public Locality {
        node.ifPresent(name -> Text.checked("node", name, BYTES_MAX));
        zone.ifPresent(name -> Text.checked("zone", name, BYTES_MAX));
        region.ifPresent(name -> Text.checked("region", name, BYTES_MAX));
    }

    /** How near another place is to this one: 0 is the same node, 1 the same zone, 2 the same region, 3 elsewhere. */
    public int distanceTo(Locality there) {
        // Names of nodes and zones mean something within their region only, where both regions are known.
        if (differ(region, there.region)) {
            return 3;
        }
        if (same(node, there.node) && !differ(zone, there.zone)) {
            return 0;
        }
        if (same(zone, there.zone)) {
            return 1;
        }
        return same(region, there.region) ? 2 : 3;
    }

    private static boolean same(Optional<String> one, Optional<String> other) {
        return one.isPresent() && one.equals(other);
    }

    private static boolean differ(Optional<String> one, Optional<String> other) {
        return one.isPresent() && other.isPresent() && !one.equals(other);
    }
}
