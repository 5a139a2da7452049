// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * The index entry → instances, and the order of the entries.
 *
 * <p>A lookup is one look into a hash table. Entries are held once: registrations and the order share the text.
 */
final class Postings {

    private final ConcurrentMap<String, Posting> byEntry = new ConcurrentHashMap<>();
    private volatile NameIndex names = NameIndex.EMPTY;
    private EntryListener listener = EntryListener.NONE;

    /** Tells that what is said of those under the entries has changed. */
    void touched(List<String> entries) {
        if (!entries.isEmpty()) {
            listener.touched(entries);
        }
    }

    /** Who is told of entries from now on. */
    void listener(EntryListener newListener) {
        listener = newListener;
    }

    /** The entries as they are now; the snapshot never changes. */
    NameIndex names() {
        return names;
    }

    /** Whether the entry is there; hands over those of its instances that may be handed out. */
    boolean forEachOffered(String entry, Consumer<? super Peer> peers) {
        Posting posting = byEntry.get(entry);
        if (posting == null) {
            return false;
        }
        posting.forEachOffered(peers);
        return true;
    }

    /** How many of the entries are not there yet. */
    int countNew(List<String> entries) {
        int count = 0;
        for (String entry : entries) {
            if (!byEntry.containsKey(entry)) {
                count++;
            }
        }
        return count;
    }

    /**
     * Puts an instance under entries that it doesn't have yet. Readers may see it under some of them before others.
     *
     * @param entries sorted and distinct
     * @return the same entries, as texts that all holders of an entry share
     */
    List<String> add(List<String> entries, StoredInstance instance) {
        NameIndex present = names;
        List<String> shared = new ArrayList<>(entries.size());
        List<String> added = new ArrayList<>();
        for (String entry : entries) {
            Posting posting = byEntry.get(entry);
            if (posting == null) {
                byEntry.put(entry, instance);
                added.add(entry);
                shared.add(entry);
            } else {
                byEntry.put(entry, posting.with(instance));
                String held = present.find(entry);
                shared.add(held == null ? entry : held);
            }
        }
        if (!added.isEmpty()) {
            names = present.plus(added);
            listener.added(added);
        }
        if (added.size() < shared.size()) {
            listener.touched(shared);
        }
        return shared;
    }

    /** Takes an instance from entries that it has; entries without instances are gone at once. */
    void remove(List<String> entries, StoredInstance instance) {
        List<String> removed = new ArrayList<>();
        for (String entry : entries) {
            if (byEntry.get(entry) instanceof SharedPosting shared) {
                byEntry.put(entry, shared.without(instance));
            } else {
                byEntry.remove(entry);
                removed.add(entry);
            }
        }
        if (!removed.isEmpty()) {
            names = names.minus(removed);
            listener.removed(removed);
        }
        if (removed.size() < entries.size()) {
            listener.touched(entries);
        }
    }
}
