// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotReady;
import io.tagbahn.peer.EntryList;
import io.tagbahn.server.store.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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
    private final Map<String, EntryList> answers = new LinkedHashMap<>();
    private final Set<String> failed = new LinkedHashSet<>();

    Listing(ClusterView view, Peers peers, String prefix, Optional<String> after, int limit, long deadlineNanos) {
        this.view = view;
        this.peers = peers;
        this.prefix = prefix;
        this.after = after;
        this.limit = limit;
        this.deadlineNanos = deadlineNanos;
    }

    CompletionStage<EntryPage> page() {
        Optional<Set<String>> whole = whole();
        Set<String> needed =
                whole.orElseGet(() -> view.listed().get(0).cover(failed()).nodes());
        List<CompletionStage<?>> asked = new ArrayList<>();
        for (String node : needed) {
            Optional<Replica> replica = peers.get(node, view);
            if (replica.isPresent() && !hasAnswered(node)) {
                asked.add(replica.get()
                        .entries(prefix, after, limit, deadlineNanos)
                        .whenComplete((list, error) -> take(node, list, error)));
            }
        }
        if (asked.isEmpty()) {
            return merged(whole.isPresent());
        }
        return Settled.all(asked).thenCompose(done -> page());
    }

    /**
     * Nodes that make a whole list, as far as is known: by the ring that is read, or by one before it while nodes are
     * being filled for this one.
     */
    private synchronized Optional<Set<String>> whole() {
        for (ClusterView.Listed ring : view.listed()) {
            Set<String> useless = new LinkedHashSet<>(failed);
            answers.forEach((node, list) -> {
                if (!list.node().whole().contains(ring.hash())) {
                    useless.add(node);
                }
            });
            ClusterView.Cover cover = ring.cover(useless);
            if (cover.whole()) {
                return Optional.of(cover.nodes());
            }
        }
        return Optional.empty();
    }

    private synchronized Set<String> failed() {
        return Set.copyOf(failed);
    }

    private synchronized boolean hasAnswered(String node) {
        return answers.containsKey(node);
    }

    private synchronized void take(String node, @Nullable EntryList list, @Nullable Throwable error) {
        if (error != null || list == null) {
            failed.add(node);
        } else {
            answers.put(node, list);
        }
    }

    private synchronized CompletionStage<EntryPage> merged(boolean whole) {
        if (answers.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new NotReady("no other node could be reached", Optional.of(Duration.ofSeconds(1))));
        }
        boolean degraded =
                !whole || answers.values().stream().anyMatch(list -> list.node().holding());
        PriorityQueue<Cursor> heads = new PriorityQueue<>();
        boolean more = false;
        for (EntryList list : answers.values()) {
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
            } else if (endsEarly(head.entries())) {
                // Behind its last entry this node may have more that come before those of others.
                more = true;
                break;
            }
        }
        return CompletableFuture.completedFuture(new EntryPage(page, more, degraded));
    }

    private boolean endsEarly(List<String> entries) {
        return answers.values().stream().anyMatch(list -> list.more() && list.entries() == entries);
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
