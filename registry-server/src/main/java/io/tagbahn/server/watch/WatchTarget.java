// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.model.Locality;
import io.tagbahn.semantics.MatchQuery;
import java.util.List;
import java.util.Optional;

/** A question whose answer is watched. Equal questions are asked once for all who wait. */
public sealed interface WatchTarget {

    /** What is kept of each question, and of each of its entries, besides the text. */
    long FIXED_BYTES = 256;

    /** Memory that it takes while it is watched, about: it is filed under each of its terms as well. */
    long bytes();

    /**
     * Who is found under some entries.
     *
     * @param entries in canonical spelling
     */
    record Entries(List<String> entries) implements WatchTarget {

        public Entries {
            entries = List.copyOf(entries);
        }

        @Override
        public long bytes() {
            long bytes = FIXED_BYTES;
            for (String entry : entries) {
                bytes += FIXED_BYTES + 2L * entry.length();
            }
            return bytes;
        }
    }

    /** Who is found by meaning. */
    record Meant(MatchQuery query, Optional<Locality> near) implements WatchTarget {

        @Override
        public long bytes() {
            return FIXED_BYTES + 4L * query.pattern().spelling().length();
        }
    }
}
