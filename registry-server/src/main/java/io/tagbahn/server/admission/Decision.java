// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.admission;

/** What became of a call at the door. */
public enum Decision {
    ADMITTED,
    /** More came than can be answered, and this one had no luck. */
    SHED,
    /** It has waited so long that it would hold up others which have a better chance to be answered in time. */
    LATE,
    /** As many calls wait for other nodes already as do any good. */
    CROWDED,
    /** Its caller has used up what it may use. */
    OVER_QUOTA,
    /** Its deadline had passed before it was begun. */
    EXPIRED
}
