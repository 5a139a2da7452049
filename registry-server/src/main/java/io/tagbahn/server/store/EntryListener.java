// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.List;

/** Is told of entries that come and go, in their order, on the thread that writes; has to return at once. */
public interface EntryListener {

    EntryListener NONE = new EntryListener() {
        @Override
        public void added(List<String> entries) {
            // Nobody listens.
        }

        @Override
        public void removed(List<String> entries) {
            // Nobody listens.
        }

        @Override
        public void touched(List<String> entries) {
            // Nobody listens.
        }
    };

    /** Tells two. */
    static EntryListener both(EntryListener one, EntryListener other) {
        return new EntryListener() {
            @Override
            public void added(List<String> entries) {
                one.added(entries);
                other.added(entries);
            }

            @Override
            public void removed(List<String> entries) {
                one.removed(entries);
                other.removed(entries);
            }

            @Override
            public void touched(List<String> entries) {
                one.touched(entries);
                other.touched(entries);
            }
        };
    }

    /** Entries under which there was nothing before. */
    void added(List<String> entries);

    /** Entries under which there is nothing any more. */
    void removed(List<String> entries);

    /** Entries under which something changed: who is found there, or what is said of these. */
    void touched(List<String> entries);
}
