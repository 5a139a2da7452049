// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Looked;
import io.tagbahn.server.store.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One question for entries, asked of their owners: one call to each node that is needed, the nearest owner of each entry
 * first; of hot entries, any.
 *
 * <p>Where nodes are preferred, their answers come before those of nearer ones. An owner that fails, does not answer in the usual time or does not hold all of an entry is helped by the next one
 * of the entry. The question ends when each entry has an answer or no owner left, and at its deadline in any case.
 */
final class Lookup {

    private final List<String> entries;
    private final Set<String> preferred;
    private final List<Asked> asked = new ArrayList<>();
    private final ClusterView view;
    private final Peers peers;
    private final Timer timer;
    private final AnswerTimes times;
    private final HotEntries hot;
    private final LongSupplier ticker;
    private final long deadlineNanos;
    private final CompletableFuture<FoundEntries> answer = new CompletableFuture<>();
    private final List<Timer.Scheduled> scheduled = new ArrayList<>();
    private int open;
    private boolean holding;

    /** A node that can be asked; the lower its numbers, the sooner. */
    private record Near(Replica replica, int usability, int distance) {}

    private static final Comparator<Near> NEAREST = Comparator.comparingInt(near -> near.usability() + near.distance());

    /** Whoever holds it here answers by itself; all others are as good as each other. */
    private static final Comparator<Near> ANY =
            Comparator.comparingInt(near -> near.usability() + Math.min(1, near.distance()));

    private static final int NOT_PREFERRED = 10;
    private static final int STALLED = 100;

    /** How far one entry has come. */
    private static final class Asked {
        private final List<Near> owners;
        private int next;
        private int pending;
        private @Nullable List<Peer> found;
        private @Nullable List<Peer> partial;
        private @Nullable String by;
        private boolean done;

        Asked(List<Near> owners) {
            this.owners = owners;
        }
    }

    private Lookup(
            List<String> entries,
            Set<String> preferred,
            ClusterView view,
            Peers peers,
            Timer timer,
            AnswerTimes times,
            HotEntries hot,
            LongSupplier ticker,
            long deadlineNanos) {
        this.hot = hot;
        this.entries = entries;
        this.preferred = preferred;
        this.view = view;
        this.peers = peers;
        this.timer = timer;
        this.times = times;
        this.ticker = ticker;
        this.deadlineNanos = deadlineNanos;
    }

    /** @param preferred the nodes that are asked rather than others that are nearer */
    static CompletionStage<FoundEntries> of(
            List<String> entries,
            Set<String> preferred,
            ClusterView view,
            Peers peers,
            Timer timer,
            AnswerTimes times,
            HotEntries hot,
            LongSupplier ticker,
            long deadlineNanos) {
        Lookup lookup = new Lookup(entries, preferred, view, peers, timer, times, hot, ticker, deadlineNanos);
        lookup.start();
        return lookup.answer;
    }

    private void start() {
        long nowNanos = ticker.getAsLong();
        Map<String, Near> known = new HashMap<>();
        for (String entry : entries) {
            List<Near> owners = new ArrayList<>();
            for (String owner : view.owners(entry)) {
                Near near = known.get(owner);
                if (near == null) {
                    Optional<Replica> replica = peers.get(owner, view);
                    if (replica.isEmpty()) {
                        continue;
                    }
                    near = new Near(replica.get(), usability(replica.get()), view.distance(owner));
                    known.put(owner, near);
                }
                owners.add(near);
            }
            if (owners.size() > 1 && hot.isHot(entry, nowNanos)) {
                Collections.rotate(owners, hot.turn() % owners.size());
                owners.sort(ANY);
            } else {
                owners.sort(NEAREST);
            }
            asked.add(new Asked(owners));
        }
        List<Integer> all = new ArrayList<>();
        synchronized (this) {
            open = entries.size();
            for (int i = 0; i < entries.size(); i++) {
                all.add(i);
            }
        }
        ask(all);
        synchronized (this) {
            if (!answer.isDone()) {
                scheduled.add(
                        timer.after(Duration.ofNanos(Math.max(0, deadlineNanos - ticker.getAsLong())), this::conclude));
            }
        }
        concludeIfDone();
    }

    private int usability(Replica owner) {
        return (owner.isStalled() ? STALLED : 0)
                + (preferred.isEmpty() || preferred.contains(owner.id()) ? 0 : NOT_PREFERRED);
    }

    /** Asks the next owner of each of these entries, one call for each node. */
    private void ask(List<Integer> places) {
        Map<Replica, List<Integer>> byNode = new LinkedHashMap<>();
        synchronized (this) {
            for (int place : places) {
                Asked of = asked.get(place);
                if (of.done) {
                    continue;
                }
                if (of.next < of.owners.size()) {
                    byNode.computeIfAbsent(of.owners.get(of.next++).replica(), node -> new ArrayList<>())
                            .add(place);
                    of.pending++;
                } else if (of.pending == 0) {
                    done(of);
                }
            }
        }
        byNode.forEach(this::call);
    }

    private void call(Replica node, List<Integer> places) {
        List<String> question = new ArrayList<>(places.size());
        places.forEach(place -> question.add(entries.get(place)));
        long begunNanos = ticker.getAsLong();
        CompletionStage<Looked<Peer>> call = node.lookup(question, deadlineNanos);
        Optional<Timer.Scheduled> hedge = Optional.empty();
        if (!call.toCompletableFuture().isDone()) {
            hedge = Optional.of(timer.after(times.hedge(), () -> ask(places)));
            synchronized (this) {
                scheduled.add(hedge.get());
            }
        }
        Optional<Timer.Scheduled> waiting = hedge;
        call.whenComplete((looked, error) -> {
            waiting.ifPresent(Timer.Scheduled::cancel);
            if (error == null) {
                if (!node.id().equals(view.self())) {
                    times.add(ticker.getAsLong() - begunNanos);
                }
                take(node.id(), places, looked);
            } else {
                fail(places);
            }
            concludeIfDone();
        });
    }

    private void take(String node, List<Integer> places, Looked<Peer> looked) {
        List<Integer> again = new ArrayList<>();
        synchronized (this) {
            holding |= looked.node().holding();
            for (int i = 0; i < places.size(); i++) {
                Asked of = asked.get(places.get(i));
                of.pending--;
                if (of.done || i >= looked.found().size()) {
                    continue;
                }
                Looked.Found<Peer> found = looked.found().get(i);
                if (found.whole()) {
                    of.found = found.peers();
                    of.by = node;
                    done(of);
                } else {
                    of.partial = united(of.partial, found.peers());
                    again.add(places.get(i));
                }
            }
        }
        ask(again);
    }

    /** What owners that hold a part know between them; each instance once. */
    static List<Peer> united(@Nullable List<Peer> some, List<Peer> more) {
        if (some == null) {
            return more;
        }
        List<Peer> united = new ArrayList<>(some);
        Set<InstanceId> known = new HashSet<>();
        some.forEach(peer -> known.add(peer.instance().id()));
        for (Peer peer : more) {
            if (known.add(peer.instance().id())) {
                united.add(peer);
            }
        }
        return united;
    }

    private void fail(List<Integer> places) {
        synchronized (this) {
            places.forEach(place -> asked.get(place).pending--);
        }
        ask(places);
    }

    private void done(Asked of) {
        of.done = true;
        open--;
    }

    private void concludeIfDone() {
        boolean done;
        synchronized (this) {
            done = open == 0;
        }
        if (done) {
            conclude();
        }
    }

    private void conclude() {
        FoundEntries found;
        synchronized (this) {
            scheduled.forEach(Timer.Scheduled::cancel);
            scheduled.clear();
            List<List<Peer>> all = new ArrayList<>(asked.size());
            Set<String> by = new HashSet<>();
            boolean degraded = holding;
            boolean answered = asked.isEmpty();
            for (Asked of : asked) {
                List<Peer> whole = of.found;
                List<Peer> part = of.partial;
                degraded |= whole == null;
                answered |= whole != null;
                if (of.by != null) {
                    by.add(of.by);
                }
                all.add(whole != null ? whole : part != null ? part : List.of());
            }
            found = new FoundEntries(all, degraded, answered, Set.copyOf(by));
        }
        answer.complete(found);
    }
}
