// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of entries in the order of their UTF-8 bytes, cut into sorted chunks.
 *
 * <p>A change copies the chunks that it touches and the list of chunks, both about as long as the square root of a
 * million; everything else is shared. An entry costs one reference and its share of a chunk.
 */
final class NameIndex {

    static final NameIndex EMPTY = new NameIndex(new String[0][], 0);

    static final int CHUNK_ENTRIES_MAX = 1024;
    /** Chunks are cut to this size, so that they can take more before they are cut again. */
    private static final int CHUNK_ENTRIES_CUT = 640;
    /** Neighbours that have shrunk are joined up to this size. */
    private static final int CHUNK_ENTRIES_JOINED = 512;

    private final String[][] chunks;
    private final int size;

    private NameIndex(String[][] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    int size() {
        return size;
    }

    /** What happens to one chunk: changes[from..to) fall into it. */
    private interface Edit {
        String[] apply(String[] chunk, List<String> changes, int from, int to);
    }

    /** This set and the entries, which are sorted, distinct and not in it. */
    NameIndex plus(List<String> added) {
        return added.isEmpty() ? this : edited(added, NameIndex::merged, size + added.size());
    }

    /** This set without the entries, which are sorted, distinct and in it. */
    NameIndex minus(List<String> removed) {
        return removed.isEmpty() ? this : edited(removed, NameIndex::subtracted, size - removed.size());
    }

    private NameIndex edited(List<String> changes, Edit edit, int newSize) {
        if (chunks.length == 0) {
            List<String[]> out = new ArrayList<>();
            append(out, edit.apply(new String[0], changes, 0, changes.size()));
            return new NameIndex(out.toArray(String[][]::new), newSize);
        }
        List<String[]> out = new ArrayList<>(chunks.length + 1);
        List<String[]> all = Arrays.asList(chunks);
        int copied = 0;
        int from = 0;
        while (from < changes.size()) {
            int chunk = chunkOf(changes.get(from));
            int to = from + 1;
            while (to < changes.size() && belongsTo(chunk, changes.get(to))) {
                to++;
            }
            out.addAll(all.subList(copied, chunk));
            append(out, edit.apply(chunks[chunk], changes, from, to));
            copied = chunk + 1;
            from = to;
        }
        out.addAll(all.subList(copied, chunks.length));
        return new NameIndex(out.toArray(String[][]::new), newSize);
    }

    /** The chunk that holds the entry, or would. */
    private int chunkOf(String entry) {
        int low = 0;
        int high = chunks.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Utf8.compare(chunks[middle][0], entry) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Whether an entry that comes after the beginning of the chunk comes before the next chunk. */
    private boolean belongsTo(int chunk, String entry) {
        return chunk + 1 == chunks.length || Utf8.compare(entry, chunks[chunk + 1][0]) < 0;
    }

    private static void append(List<String[]> out, String[] chunk) {
        if (chunk.length > CHUNK_ENTRIES_MAX) {
            int parts = (chunk.length + CHUNK_ENTRIES_CUT - 1) / CHUNK_ENTRIES_CUT;
            for (int part = 0; part < parts; part++) {
                int from = (int) ((long) chunk.length * part / parts);
                int to = (int) ((long) chunk.length * (part + 1) / parts);
                out.add(Arrays.copyOfRange(chunk, from, to));
            }
            return;
        }
        if (chunk.length == 0) {
            return;
        }
        String[] before = out.isEmpty() ? new String[0] : out.get(out.size() - 1);
        if (before.length > 0 && before.length + chunk.length <= CHUNK_ENTRIES_JOINED) {
            String[] joined = Arrays.copyOf(before, before.length + chunk.length);
            System.arraycopy(chunk, 0, joined, before.length, chunk.length);
            out.set(out.size() - 1, joined);
        } else {
            out.add(chunk);
        }
    }

    private static String[] merged(String[] chunk, List<String> added, int from, int to) {
        String[] out = new String[chunk.length + to - from];
        int next = 0;
        int length = 0;
        for (int i = from; i < to; i++) {
            String entry = added.get(i);
            int at = search(chunk, next, entry);
            System.arraycopy(chunk, next, out, length, at - next);
            length += at - next;
            out[length++] = entry;
            next = at;
        }
        System.arraycopy(chunk, next, out, length, chunk.length - next);
        return out;
    }

    private static String[] subtracted(String[] chunk, List<String> removed, int from, int to) {
        String[] out = new String[chunk.length - (to - from)];
        int next = 0;
        int length = 0;
        for (int i = from; i < to; i++) {
            int at = search(chunk, next, removed.get(i));
            System.arraycopy(chunk, next, out, length, at - next);
            length += at - next;
            next = at + 1;
        }
        System.arraycopy(chunk, next, out, length, chunk.length - next);
        return out;
    }

    /** Where the entry stands in the chunk, or would; not before {@code from}. */
    private static int search(String[] chunk, int from, String entry) {
        int at = Arrays.binarySearch(chunk, from, chunk.length, entry, Utf8.ORDER);
        return at >= 0 ? at : -at - 1;
    }

    /** The set's own copy of an entry; null where it isn't in the set. */
    @Nullable
    String find(String entry) {
        if (chunks.length == 0) {
            return null;
        }
        String[] chunk = chunks[chunkOf(entry)];
        int at = Arrays.binarySearch(chunk, entry, Utf8.ORDER);
        return at >= 0 ? chunk[at] : null;
    }

    /**
     * Hands the entries that begin with the prefix to the visitor, in order, until it declines one.
     *
     * @param after only entries behind this one are handed over
     */
    void visit(String prefix, Optional<String> after, Predicate<String> visitor) {
        if (chunks.length == 0) {
            return;
        }
        String start = after.filter(last -> Utf8.compare(last, prefix) >= 0).orElse(prefix);
        int chunk = chunkOf(start);
        int at = search(chunks[chunk], 0, start);
        if (at < chunks[chunk].length && after.filter(chunks[chunk][at]::equals).isPresent()) {
            at++;
        }
        for (; chunk < chunks.length; chunk++, at = 0) {
            String[] entries = chunks[chunk];
            for (; at < entries.length; at++) {
                String entry = entries[at];
                if (!entry.startsWith(prefix) || !visitor.test(entry)) {
                    return;
                }
            }
        }
    }
}
