// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Locality;
import io.tagbahn.semantics.MatchQuery;
import java.util.List;
import java.util.Optional;

/** What is watched. */
sealed interface WatchedTarget {

    /** Who is found under tags. */
    record Tags(List<String> tags) implements WatchedTarget {

        public Tags {
            tags = List.copyOf(tags);
        }
    }

    /** Who is found by meaning. */
    record Meant(MatchQuery query, Optional<Locality> near) implements WatchedTarget {}
}
