// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.changes;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The last changes of entries, numbered in their order; of older ones it is only known that they were. While nobody reads,
 * changes are counted and nothing is kept.
 *
 * <p>Written by one thread, read by any.
 */
final class ChangeLog {

    /** How long after its last reader a log is kept: several times the longest wait of a reader. */
    static final long READ_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final int ROOM_FIRST = 256;
    /** What an entry costs beside its characters: references, and the headers of a string. */
    private static final int ENTRY_BYTES = 64;

    private final long epoch;
    private final Keeping keeping;
    private final LongSupplier ticker;
    /** The changes from the oldest on; change {@code n} is at {@code n} modulo the length. */
    private String[] entries = {};

    private LoggedChange.Kind[] kinds = {};
    private long bytes;
    /** The number of the next change. */
    private long next;
    /** The number of the oldest change that is kept. */
    private long oldest;

    private boolean isRead;
    private long readNanos;

    ChangeLog(long epoch, Keeping keeping, LongSupplier ticker) {
        this.epoch = epoch;
        this.keeping = keeping;
        this.ticker = ticker;
    }

    /** @return whether the changes are kept */
    synchronized boolean append(List<String> changed, LoggedChange.Kind kind) {
        if (!isRead || ticker.getAsLong() - readNanos >= READ_NANOS) {
            entries = new String[0];
            kinds = new LoggedChange.Kind[0];
            bytes = 0;
            isRead = false;
            next += changed.size(); // readers will know that they missed some
            oldest = next;
            return false;
        }
        for (String entry : changed) {
            append(entry, kind);
        }
        return true;
    }

    private void append(String entry, LoggedChange.Kind kind) {
        if (next - oldest == keeping.changesMax()) {
            dropOldest();
        } else if (next - oldest == entries.length) {
            grow();
        }
        int at = (int) (next % entries.length);
        entries[at] = entry;
        kinds[at] = kind;
        bytes += bytesOf(entry);
        next++;
        while (bytes > keeping.bytesMax() && next - oldest > 1) {
            dropOldest();
        }
    }

    private void dropOldest() {
        int at = (int) (oldest % entries.length);
        bytes -= bytesOf(entries[at]);
        entries[at] = "";
        oldest++;
    }

    private void grow() {
        int length = Math.min(keeping.changesMax(), Math.max(ROOM_FIRST, 2 * entries.length));
        String[] more = new String[length];
        Arrays.fill(more, "");
        LoggedChange.Kind[] moreKinds = new LoggedChange.Kind[length];
        for (long change = oldest; change < next; change++) {
            int from = (int) (change % entries.length);
            int to = (int) (change % length);
            more[to] = entries[from];
            moreKinds[to] = kinds[from];
        }
        entries = more;
        kinds = moreKinds;
    }

    /** At most so much, whatever its characters. */
    private static long bytesOf(String entry) {
        return ENTRY_BYTES + 2L * entry.length();
    }

    /** Where the log stands, for one who reads on from there. */
    synchronized LogPosition position() {
        read();
        return new LogPosition(epoch, next);
    }

    private void read() {
        isRead = true;
        readNanos = ticker.getAsLong();
    }

    /** What follows a position: at most so many changes, and what fits into a message; absent where it is not known. */
    synchronized Optional<Part> since(LogPosition position, int limit) {
        read();
        if (position.epoch() != epoch || position.next() < oldest || position.next() > next) {
            return Optional.empty();
        }
        int count = (int) Math.min(limit, next - position.next());
        List<LoggedChange> changes = new ArrayList<>(count);
        long chars = 0;
        for (int i = 0; i < count && chars < keeping.readCharsMax(); i++) {
            int at = (int) ((position.next() + i) % entries.length);
            changes.add(new LoggedChange(entries[at], kinds[at]));
            chars += entries[at].length();
        }
        return Optional.of(new Part(new LogPosition(epoch, position.next() + changes.size()), changes));
    }

    /** Bytes of memory that the kept changes take at most. */
    synchronized long bytes() {
        return bytes;
    }

    /** Some changes, and where to read on. */
    record Part(LogPosition next, List<LoggedChange> changes) {}
}
