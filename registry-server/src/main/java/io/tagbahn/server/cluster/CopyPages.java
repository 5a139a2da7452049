// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Place;
import io.tagbahn.server.replication.Batches;
import io.tagbahn.server.replication.Shares;
import io.tagbahn.server.store.Buckets;
import io.tagbahn.server.store.Held;
import io.tagbahn.server.store.Now;
import io.tagbahn.server.store.RegistrationStore;
import io.tagbahn.server.store.Tombstone;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is held here, as another node should hold it, in messages of bounded size that cost bounded work each.
 *
 * <p>A page ends where the next copy wouldn't fit, or where enough was looked at: writes wait meanwhile. One copy
 * always fits.
 */
final class CopyPages {

    private static final int COPIES_MAX = 1_000;
    /** Entries looked at for one page, wanted or not: each costs a look at the ring. */
    private static final int LOOKS_MAX = 10_000;

    private final Asked asked;
    private final RegistrationStore store;
    private final Now now;
    private final List<Change> changes = new ArrayList<>();
    private long bytes;
    private int looks;

    /**
     * What is asked for.
     *
     * @param self the node that answers
     * @param asker the node that should hold it
     * @param bytesMax of all copies in one message
     */
    record Asked(String self, String asker, NodeView node, ClusterView view, Shares shares, int bytesMax) {

        private Optional<Change> copy(Held held) {
            boolean home = held.home() && view.homes(held.id()).contains(self);
            return shares.copyFor(asker, held, home, view::ownsForWrites);
        }
    }

    private CopyPages(Asked asked, RegistrationStore store, Now now) {
        this.asked = asked;
        this.store = store;
        this.now = now;
    }

    /** All that the asker should hold, from a place on. */
    static Copies page(Asked asked, Place from, RegistrationStore store, Now now) {
        return new CopyPages(asked, store, now).from(from);
    }

    /** What the asker should hold of these; where the answer ends early, it says behind which of them. */
    static Copies of(Asked asked, List<InstanceId> ids, RegistrationStore store, Now now) {
        return new CopyPages(asked, store, now).of(ids);
    }

    private Copies from(Place place) {
        Optional<InstanceId> after = place.after();
        for (int bucket = place.bucket(); bucket < Buckets.COUNT; bucket++) {
            if (isFull()) {
                return answer(Optional.of(new Place(bucket, after)));
            }
            Optional<Place> stop = bucket(bucket, after);
            if (stop.isPresent()) {
                return answer(stop);
            }
            after = Optional.empty();
        }
        return answer(Optional.empty());
    }

    /** Where it stopped in this bucket, if it did. */
    private Optional<Place> bucket(int bucket, Optional<InstanceId> after) {
        int before = changes.size();
        looks++;
        if (after.isEmpty()) {
            for (Tombstone gone : store.gone(bucket, now)) {
                if (!gone.ended() && asked.shares().isHome(asked.self(), gone.id())) {
                    add(gone.removal());
                }
            }
        }
        List<InstanceId> taken = new ArrayList<>();
        boolean[] stopped = new boolean[1];
        store.visitHeld(bucket, after, now, held -> {
            boolean first = before == 0 && taken.isEmpty();
            stopped[0] = !(first || !isFull()) || !take(asked.copy(held), first);
            if (!stopped[0]) {
                taken.add(held.id());
                looks += 1 + Math.max(held.entries().size(), held.posted().size());
            }
            return !stopped[0];
        });
        if (!stopped[0]) {
            return Optional.empty();
        }
        if (taken.isEmpty() && after.isEmpty()) {
            // Those that are gone come again with the bucket.
            changes.subList(before, changes.size()).clear();
        }
        return Optional.of(new Place(bucket, taken.isEmpty() ? after : Optional.of(taken.get(taken.size() - 1))));
    }

    private Copies of(List<InstanceId> ids) {
        Optional<InstanceId> last = Optional.empty();
        for (InstanceId id : ids) {
            Optional<Held> held = store.held(id, now);
            Optional<Change> copy = held.isPresent()
                    ? asked.copy(held.get())
                    : store.deregistered(id, now).map(Tombstone::removal);
            if (last.isPresent() && (isFull() || !take(copy, changes.isEmpty()))) {
                return answer(last.map(behind -> new Place(Buckets.of(behind), Optional.of(behind))));
            }
            if (last.isEmpty()) {
                take(copy, true);
            }
            looks += 1
                    + held.map(here -> Math.max(
                                    here.entries().size(), here.posted().size()))
                            .orElse(0);
            last = Optional.of(id);
        }
        return answer(Optional.empty());
    }

    private boolean isFull() {
        return changes.size() >= COPIES_MAX || looks >= LOOKS_MAX || bytes >= asked.bytesMax();
    }

    /** Whether there was room for it, if there is any. */
    private boolean take(Optional<Change> copy, boolean whateverItTakes) {
        if (copy.isEmpty()) {
            return true;
        }
        boolean fits = whateverItTakes || bytes + Batches.bytesOf(copy.get()) <= asked.bytesMax();
        if (fits) {
            add(copy.get());
        }
        return fits;
    }

    private void add(Change change) {
        changes.add(change);
        bytes += Batches.bytesOf(change);
    }

    private Copies answer(Optional<Place> next) {
        return new Copies(asked.node(), changes, next);
    }
}
