// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.EntryList;
import io.tagbahn.server.store.Utf8;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletionStage;

/**
 * A page of all entries: a smallest set of nodes that own them all between them is asked, and what they say is merged.
 *
 * <p>Nodes that fail or aren't filled are replaced by others as far as there are any.
 */
final class Listing {

    private final ClusterView view;
    private final Peers peers;
    private final String prefix;
    private final Optional<String> after;
    private final int limit;
    private final long deadlineNanos;

    Listing(ClusterView view, Peers peers, String prefix, Optional<String> after, int limit, long deadlineNanos) {
        this.view = view;
        this.peers = peers;
        this.prefix = prefix;
        this.after = after;
        this.limit = limit;
        this.deadlineNanos = deadlineNanos;
    }

    CompletionStage<EntryPage> page() {
        return new Covering<>(
                        view,
                        peers,
                        replica -> replica.entries(prefix, after, limit, deadlineNanos),
                        EntryList::node,
                        error -> false)
                .ask()
                .thenApply(answers -> merged(answers.byNode().values(), answers.degraded()));
    }

    private EntryPage merged(Collection<EntryList> answers, boolean degraded) {
        PriorityQueue<Cursor> heads = new PriorityQueue<>();
        boolean more = false;
        for (EntryList list : answers) {
            more |= list.more();
            if (!list.entries().isEmpty()) {
                heads.add(new Cursor(list.entries(), 0));
            }
        }
        List<String> page = new ArrayList<>();
        while (!heads.isEmpty()) {
            Cursor head = heads.remove();
            String entry = head.entry();
            if (page.isEmpty() || !page.get(page.size() - 1).equals(entry)) {
                if (page.size() == limit) {
                    more = true;
                    break;
                }
                page.add(entry);
            }
            if (head.at() + 1 < head.entries().size()) {
                heads.add(new Cursor(head.entries(), head.at() + 1));
            } else if (endsEarly(answers, head.entries())) {
                // Behind its last entry this node may have more that come before those of others.
                more = true;
                break;
            }
        }
        return new EntryPage(page, more, degraded);
    }

    private static boolean endsEarly(Collection<EntryList> answers, List<String> entries) {
        return answers.stream().anyMatch(list -> list.more() && list.entries() == entries);
    }

    private record Cursor(List<String> entries, int at) implements Comparable<Cursor> {

        String entry() {
            return entries.get(at);
        }

        @Override
        public int compareTo(Cursor other) {
            return Utf8.ORDER.compare(entry(), other.entry());
        }
    }
}
