// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPattern;
import io.tagbahn.semantics.MatchQuery;
import java.util.List;

/** Which hosts are to be called. */
public sealed interface CallTarget {

    /** The instances of a service. */
    record Named(ServiceName name) implements CallTarget {
        @Override
        public String toString() {
            return name.toString();
        }
    }

    /** The instances that carry at least one of the tags. */
    record Tagged(List<String> tags) implements CallTarget {
        /** @throws IllegalArgumentException where there is no tag */
        public Tagged {
            tags = List.copyOf(tags);
            if (tags.isEmpty()) {
                throw new IllegalArgumentException("no tags");
            }
        }

        @Override
        public String toString() {
            return String.join(", ", tags);
        }
    }

    /** The instances whose tags answer a query by meaning, inferred by the registry. */
    record Meant(MatchQuery query) implements CallTarget {
        @Override
        public String toString() {
            return query.pattern().toString();
        }
    }

    /** The instances of a service. */
    static CallTarget named(String serviceName) {
        return new Named(new ServiceName(serviceName));
    }

    /** The instances that carry at least one of the tags: IRIs, statements, or names. */
    static CallTarget tagged(String... tags) {
        return new Tagged(List.of(tags));
    }

    /**
     * The instances that offer what a pattern asks for or a kind of it.
     *
     * @param pattern a concept IRI, or a statement whose terms may be {@code *}
     */
    static CallTarget meaning(String pattern) {
        return new Meant(MatchQuery.of(TagPattern.parse(pattern)));
    }
}
