// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The last changes of entries, numbered in their order; of older ones it is only known that they were.
 *
 * <p>Written by one thread, read by any.
 */
final class ChangeLog {

    /** Characters of the entries that are read at once. */
    private static final int CHARS_MAX = 1_000_000;

    private final long epoch;
    private final String[] entries;
    private final LoggedChange.Kind[] kinds;
    /** The number of the next change. */
    private long next;
    /** The number of the oldest change that is kept. */
    private long oldest;

    /** @param changesMax that are kept */
    ChangeLog(long epoch, int changesMax) {
        this.epoch = epoch;
        this.entries = new String[changesMax];
        this.kinds = new LoggedChange.Kind[changesMax];
    }

    synchronized void append(List<String> changed, LoggedChange.Kind kind) {
        for (String entry : changed) {
            int at = (int) (next % entries.length);
            entries[at] = entry;
            kinds[at] = kind;
            next++;
        }
        oldest = Math.max(oldest, next - entries.length);
    }

    /** Counts changes without keeping them: readers will know that they missed some. */
    synchronized void skip(int count) {
        next += count;
        oldest = next;
    }

    synchronized LogPosition position() {
        return new LogPosition(epoch, next);
    }

    /** What follows a position: at most so many changes, and what fits into a message; absent where it is not known. */
    synchronized Optional<Part> since(LogPosition position, int limit) {
        if (position.epoch() != epoch || position.next() < oldest || position.next() > next) {
            return Optional.empty();
        }
        int count = (int) Math.min(limit, next - position.next());
        List<LoggedChange> changes = new ArrayList<>(count);
        long chars = 0;
        for (int i = 0; i < count && chars < CHARS_MAX; i++) {
            int at = (int) ((position.next() + i) % entries.length);
            changes.add(new LoggedChange(entries[at], kinds[at]));
            chars += entries[at].length();
        }
        return Optional.of(new Part(new LogPosition(epoch, position.next() + changes.size()), changes));
    }

    /** Some changes, and where to read on. */
    record Part(LogPosition next, List<LoggedChange> changes) {}
}
