// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.model.Locality;
import io.tagbahn.semantics.MatchQuery;
import java.util.List;
import java.util.Optional;

/** A question whose answer is watched. Equal questions are asked once for all who wait. */
public sealed interface WatchTarget {

    /**
     * Who is found under some entries.
     *
     * @param entries in canonical spelling
     */
    record Entries(List<String> entries) implements WatchTarget {

        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /** Who is found by meaning. */
    record Meant(MatchQuery query, Optional<Locality> near) implements WatchTarget {}
}
