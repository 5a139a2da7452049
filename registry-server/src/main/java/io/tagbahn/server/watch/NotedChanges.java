// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.watch;

import io.tagbahn.peer.LoggedChange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Changes that were told and not looked at yet. Safe for use by any thread. */
final class NotedChanges {

    /** Entries that are noted one by one; where there are more, everything is looked at. */
    private static final int ENTRIES_MAX = 100_000;

    private final Set<String> entries = new HashSet<>();
    private boolean anything;
    private boolean came;
    private boolean told;

    /**
     * What was noted.
     *
     * @param entries under which something changed
     * @param anything whether others may have changed as well
     * @param came whether entries may have come or gone
     */
    record Taken(List<String> entries, boolean anything, boolean came) {}

    /** @return whether somebody has to take what is noted: nobody was told since it was taken last */
    synchronized boolean note(List<LoggedChange> changes) {
        for (LoggedChange change : changes) {
            entries.add(change.entry());
            came |= change.kind() != LoggedChange.Kind.TOUCHED;
        }
        if (entries.size() > ENTRIES_MAX) {
            entries.clear();
            anything = true;
        }
        return tell();
    }

    /** Notes that anything may have changed; the same answer. */
    synchronized boolean noteAnything() {
        anything = true;
        return tell();
    }

    private boolean tell() {
        boolean first = !told;
        told = true;
        return first;
    }

    synchronized Taken take() {
        Taken taken = new Taken(List.copyOf(entries), anything, came || anything);
        entries.clear();
        anything = false;
        came = false;
        told = false;
        return taken;
    }
}
