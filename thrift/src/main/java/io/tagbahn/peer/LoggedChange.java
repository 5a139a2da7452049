// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

/** What happened to an entry. */
public record LoggedChange(String entry, Kind kind) {

    /** Kinds of change. */
    public enum Kind {
        /** There was nothing under it before. */
        ADDED,
        /** There is nothing under it any more. */
        REMOVED,
        /** Who is found under it, or what is said of these, is not what it was. */
        TOUCHED
    }
}
