// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChange;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.server.changes.Changes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that changes answers anywhere in the cluster, as it happens: the logs of a smallest set of nodes that hold all
 * entries are read, each by one call that waits, for as long as somebody wants them.
 */
public final class ChangeFeed implements AutoCloseable {

    /** Is told on any thread, and must return at once. */
    public interface Listener {

        void changed(List<LoggedChange> changes);

        /** Anything may have changed. */
        void missed();
    }

    private static final Duration WANTED = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration CHECK = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofMillis(250);
    private static final int CHANGES_MAX = 10_000;

    private final ClusterState state;
    private final Peers peers;
    private final Duration peerTimeout;
    private final Timer timer;
    private final LongSupplier ticker;
    private final Listener listener;
    /** The nodes that are read; guarded by this. */
    private final Map<String, Follower> followers = new HashMap<>();

    private boolean running;
    private long wantedUntilNanos;
    private long layout;
    private boolean closed;

    ChangeFeed(
            ClusterState state,
            Peers peers,
            Duration peerTimeout,
            Timer timer,
            LongSupplier ticker,
            Listener listener) {
        this.state = state;
        this.peers = peers;
        this.peerTimeout = peerTimeout;
        this.timer = timer;
        this.ticker = ticker;
        this.listener = listener;
    }

    /** Reads for half a minute from now on, unless it does already. */
    public synchronized void want() {
        wantedUntilNanos = ticker.getAsLong() + WANTED.toNanos();
        if (!running && !closed) {
            running = true;
            check();
        }
    }

    /** Whether all nodes are being read, so that nothing is missed without {@link Listener#missed} telling. */
    public synchronized boolean isWhole() {
        return running
                && followers.keySet().equals(cover())
                && followers.values().stream().allMatch(follower -> follower.live);
    }

    /** The nodes that are read: an answer of another one may change without being told of. */
    public synchronized Set<String> followed() {
        return Set.copyOf(followers.keySet());
    }

    private Set<String> cover() {
        return state.view().listed().get(0).cover(Set.of()).nodes();
    }

    /** Sees to it that those nodes are read that ought to be. */
    private synchronized void check() {
        if (closed || wantedUntilNanos - ticker.getAsLong() <= 0) {
            running = false;
            followers.values().forEach(follower -> follower.dropped = true);
            followers.clear();
            return;
        }
        ClusterView view = state.view();
        Set<String> cover = cover();
        followers.values().removeIf(follower -> {
            follower.dropped |= !cover.contains(follower.node);
            return follower.dropped;
        });
        for (String node : cover) {
            if (!followers.containsKey(node)) {
                Follower follower = new Follower(node);
                followers.put(node, follower);
                timer.after(Duration.ZERO, follower::read);
            }
        }
        if (layout != view.layout()) {
            layout = view.layout();
            listener.missed();
        }
        timer.after(CHECK, this::check);
    }

    /** The reading of one node. */
    private final class Follower {
        private final String node;
        private volatile @Nullable LogPosition position;
        private volatile boolean live;
        private volatile boolean dropped;

        Follower(String node) {
            this.node = node;
        }

        void read() {
            Optional<Replica> replica = peers.get(node, state.view());
            if (dropped || replica.isEmpty()) {
                live = false;
                again();
                return;
            }
            long deadlineNanos = ticker.getAsLong() + WAIT.plus(peerTimeout).toNanos();
            Optional<LogPosition> since = Optional.ofNullable(position);
            replica.get()
                    .meaning()
                    .changes(Changes.Log.TOUCHES, since, CHANGES_MAX, WAIT, deadlineNanos)
                    .whenComplete((changes, error) -> {
                        if (error == null) {
                            take(since.isEmpty(), changes);
                            timer.after(Duration.ZERO, this::read);
                        } else {
                            live = false;
                            again();
                        }
                    });
        }

        private void again() {
            if (!dropped) {
                timer.after(RETRY, this::read);
            }
        }

        private void take(boolean first, LoggedChanges changes) {
            position = changes.next();
            live = true;
            if (dropped) {
                return;
            }
            if (first || changes.reset()) {
                listener.missed();
            } else if (!changes.changes().isEmpty()) {
                listener.changed(changes.changes());
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
