// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.Member;
import io.tagbahn.model.MemberState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Who is a member in the eyes of each node, asked every few milliseconds. */
final class MemberViews implements AutoCloseable {

    /** Questions a second to all nodes together. */
    private static final int QUESTIONS_PER_SECOND_MAX = 400;

    private static final long POLL_MILLIS_MIN = 20;

    /** What one node said of another. */
    record Seen(MemberState state, long incarnation, long sinceNanos) {}

    /** A change of it; {@code to} is absent where it is no longer listed. */
    record Change(String observer, String subject, Optional<MemberState> to, long nanos) {}

    private final List<? extends Watchable> nodes;
    private final List<Watched> watched = new ArrayList<>();
    private final List<Change> changes = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService poller;

    MemberViews(List<? extends Watchable> nodes) {
        this.nodes = nodes;
        long pollMillis = Math.max(POLL_MILLIS_MIN, 1_000L * nodes.size() / QUESTIONS_PER_SECOND_MAX);
        poller = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "chaos-views");
            thread.setDaemon(true);
            return thread;
        });
        for (Watchable node : nodes) {
            Watched each = new Watched(node, node.client());
            watched.add(each);
            var unused = poller.scheduleAtFixedRate(
                    each::ask, pollMillis * watched.size() / (nodes.size() + 1), pollMillis, TimeUnit.MILLISECONDS);
        }
    }

    /** One node's eyes. */
    private final class Watched {
        private final Watchable node;
        private final RegistryClient client;
        private final AtomicBoolean asking = new AtomicBoolean();
        private final Map<String, Seen> view = new ConcurrentHashMap<>();
        private volatile long answeredNanos;

        Watched(Watchable node, RegistryClient client) {
            this.node = node;
            this.client = client;
        }

        void ask() {
            if (!asking.compareAndSet(false, true)) {
                return;
            }
            client.membersAsync().whenComplete((members, error) -> {
                if (error == null) {
                    take(members, System.nanoTime());
                }
                asking.set(false);
            });
        }

        private void take(List<Member> members, long nowNanos) {
            Map<String, Seen> now = new LinkedHashMap<>();
            for (Member member : members) {
                Seen before = view.get(member.id());
                boolean same = before != null
                        && before.state() == member.state()
                        && before.incarnation() == member.incarnation();
                now.put(member.id(), same ? before : new Seen(member.state(), member.incarnation(), nowNanos));
                if (before == null || before.state() != member.state()) {
                    changes.add(new Change(node.id(), member.id(), Optional.of(member.state()), nowNanos));
                }
            }
            for (String known : List.copyOf(view.keySet())) {
                if (!now.containsKey(known)) {
                    view.remove(known);
                    changes.add(new Change(node.id(), known, Optional.empty(), nowNanos));
                }
            }
            view.putAll(now);
            answeredNanos = nowNanos;
        }
    }

    /** What one node sees of another; absent where it doesn't list it. */
    Optional<Seen> seen(Watchable observer, String subject) {
        return Optional.ofNullable(eyes(observer).view.get(subject));
    }

    /** Whether a node holds another to be a member: alive, joining or under suspicion. */
    boolean isMember(Watchable observer, String subject) {
        return seen(observer, subject)
                .filter(seen -> seen.state() != MemberState.DEAD && seen.state() != MemberState.LEFT)
                .isPresent();
    }

    boolean isAlive(Watchable observer, String subject) {
        return seen(observer, subject)
                .filter(seen -> seen.state() == MemberState.ALIVE || seen.state() == MemberState.JOINING)
                .isPresent();
    }

    /** Whether a node holds exactly these to be members, and alive. */
    boolean agrees(Watchable observer, List<? extends Watchable> members) {
        long counted = eyes(observer).view.keySet().stream()
                .filter(subject -> isMember(observer, subject))
                .count();
        return counted == members.size() && members.stream().allMatch(member -> isAlive(observer, member.id()));
    }

    /** Whether all of these hold each other, and nobody else, to be members, in answers of after that time. */
    boolean agree(List<? extends Watchable> members, long afterNanos) {
        return members.stream()
                .allMatch(member -> eyes(member).answeredNanos - afterNanos > 0 && agrees(member, members));
    }

    void awaitAgreement(Duration longest) {
        awaitAgreement(nodes, longest);
    }

    void awaitAgreement(List<? extends Watchable> members, Duration longest) {
        long begunNanos = System.nanoTime();
        Waiting.orFail("agreement of " + members.size() + " nodes", () -> agree(members, begunNanos), longest);
    }

    /** What has changed since that time. */
    List<Change> changesSince(long nanos) {
        return changes.stream().filter(change -> change.nanos() - nanos > 0).toList();
    }

    /** When what anybody sees has changed for the last time; now where it never has. */
    long lastChangeNanos() {
        return changes.isEmpty()
                ? System.nanoTime()
                : changes.get(changes.size() - 1).nanos();
    }

    /** How many nodes one lists, live or not. */
    int listed(Watchable observer) {
        return eyes(observer).view.size();
    }

    private Watched eyes(Watchable node) {
        return watched.stream()
                .filter(each -> each.node == node)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(node.id() + " is not watched"));
    }

    @Override
    public void close() {
        poller.shutdownNow();
        watched.forEach(each -> each.client.close());
    }
}
