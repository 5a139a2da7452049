// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.peer.Change;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.Word;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How what other nodes say of an instance and what is held of it become one.
 *
 * <p>The newer generation stands. Of one generation there may be several forms: where two callers registered the same
 * instance with the same number, the one with the greater {@linkplain ContentHash#compare hash} stands; where they go back
 * to the same replacement they are parts of one list of tags, and unite. So the result is the same in whatever order, and however often, changes come. A
 * deregistration stands over its own generation and all before; the end of a lease only where the lease has ended here
 * too. An operator's word is merged by its own version.
 */
final class CopyMerge {

    private final Holdings holdings;

    CopyMerge(Holdings holdings) {
        this.holdings = holdings;
    }

    Outcome apply(Change change, Now now) {
        try {
            if (change instanceof Change.RecordCopy copy) {
                return record(copy, now);
            } else if (change instanceof Change.PostedCopy copy) {
                return posted(copy, now);
            } else if (change instanceof Change.Removal removal) {
                return removal(removal, now);
            }
        } catch (InvalidArgument e) {
            return new Outcome(Outcome.Kind.REFUSED, 0);
        }
        throw new IllegalArgumentException("unknown change " + change);
    }

    private Outcome record(Change.RecordCopy copy, Now now) {
        StoredInstance known = holdings.find(copy.id());
        Order order = order(known, copy.instance(), copy.generation(), copy.origin(), now);
        if (order == Order.GONE || order == Order.OLDER) {
            word(copy.id(), copy.word(), known, now);
            return refused(order, copy.id(), known, now);
        }
        List<String> entries = known != null && order == Order.SAME && known.isHome()
                ? EntrySets.union(Arrays.asList(known.entries()), copy.entries())
                : copy.entries();
        Reposting own = holdings.reposting(known, holdings.ownedOf(entries));
        checkRoom(known, own);
        word(copy.id(), copy.word(), known, now);
        List<String> removed = EntrySets.minus(recorded(known), entries);
        StoredInstance stored = holdings.placed(known, copy.instance(), now);
        holdings.record(stored, entries, own);
        long left = Math.min(copy.leftMillis(), copy.leaseMillis());
        boolean wasHome = stored.isHome();
        if (order == Order.SAME && wasHome) {
            left = Math.max(left, holdings.leftMillis(stored, now));
        }
        holdings.lease(stored, copy.leaseMillis(), Math.max(0, left), now);
        stored.generation(copy.generation());
        stored.origin(copy.origin());
        return new Outcome(Outcome.Kind.TAKEN, copy.generation(), removed);
    }

    /** The entries of the record that is here, if there is one. */
    private static List<String> recorded(@Nullable StoredInstance known) {
        return known != null && known.isHome() ? List.of(known.entries()) : List.of();
    }

    private Outcome posted(Change.PostedCopy copy, Now now) {
        StoredInstance known = holdings.find(copy.id());
        Order order = order(known, copy.instance(), copy.generation(), copy.origin(), now);
        if (order == Order.GONE || order == Order.OLDER) {
            word(copy.id(), copy.word(), known, now);
            return refused(order, copy.id(), known, now);
        }
        List<String> entries = order == Order.SAME && known != null
                ? EntrySets.union(Arrays.asList(known.posted()), copy.entries())
                : copy.entries();
        if (entries.isEmpty()) {
            // Not ours any more; nothing older may come back, or come late, under entries that it has lost.
            if (known == null) {
                if (copy.generation() > holdings.tombstones.newest(copy.id(), now.nanos())) {
                    holdings.tombstones.put(copy.id(), copy.generation(), true, Long.MAX_VALUE, now.nanos());
                }
            } else if (!(order == Order.SAME && known.isHome())) {
                holdings.drop(known, copy.generation(), true, now);
            }
            return taken(copy.generation());
        }
        Reposting reposting = holdings.reposting(known, entries);
        checkRoom(known, reposting);
        word(copy.id(), copy.word(), known, now);
        if (known != null && order == Order.NEWER) {
            // The record here is of an older generation: another home will bring the new one.
            holdings.stopHome(known);
        }
        StoredInstance stored = holdings.placed(known, copy.instance(), now);
        holdings.postOnly(stored, reposting);
        stored.generation(copy.generation());
        stored.origin(copy.origin());
        return taken(copy.generation());
    }

    private void checkRoom(@Nullable StoredInstance known, Reposting reposting) {
        if (known == null) {
            holdings.checkRoomForInstance();
        }
        holdings.checkRoomForEntries(reposting.added());
    }

    private Outcome removal(Change.Removal removal, Now now) {
        StoredInstance known = holdings.find(removal.id());
        if (known == null) {
            if (removal.generation() > holdings.tombstones.newest(removal.id(), now.nanos())
                    || (!removal.ended() && holdings.tombstones.isEnded(removal.id(), now.nanos()))) {
                holdings.tombstones.put(
                        removal.id(), removal.generation(), removal.ended(), removal.keptMillis(), now.nanos());
            }
            return taken(removal.generation());
        }
        if (known.generation() > removal.generation()) {
            return new Outcome(Outcome.Kind.STALE, known.generation());
        }
        boolean goesOnHere = removal.ended()
                && known.isHome()
                && known.generation() == removal.generation()
                && holdings.leftMillis(known, now) > 0;
        if (goesOnHere) {
            return new Outcome(Outcome.Kind.STALE, known.generation());
        }
        List<String> removed = recorded(known);
        holdings.forget(known, now);
        holdings.tombstones.put(removal.id(), removal.generation(), removal.ended(), removal.keptMillis(), now.nanos());
        return new Outcome(Outcome.Kind.TAKEN, removal.generation(), removed);
    }

    private enum Order {
        GONE,
        OLDER,
        SAME,
        NEWER
    }

    /** How what comes stands to what is here. */
    private Order order(@Nullable StoredInstance known, Instance instance, long generation, long origin, Now now) {
        if (known != null) {
            if (generation != known.generation()) {
                return generation < known.generation() ? Order.OLDER : Order.NEWER;
            }
            int byContent = ContentHash.compare(instance, origin, known.instance(), known.origin());
            return byContent == 0 ? Order.SAME : byContent < 0 ? Order.OLDER : Order.NEWER;
        }
        long gone = holdings.tombstones.newest(instance.id(), now.nanos());
        if (generation > gone) {
            return Order.NEWER;
        }
        boolean leaseMayGoOn = generation == gone && holdings.tombstones.isEnded(instance.id(), now.nanos());
        return leaseMayGoOn ? Order.NEWER : Order.GONE;
    }

    private Outcome refused(Order order, InstanceId id, @Nullable StoredInstance known, Now now) {
        if (known != null) {
            return new Outcome(Outcome.Kind.STALE, known.generation());
        }
        boolean ended = holdings.tombstones.isEnded(id, now.nanos());
        return new Outcome(
                order == Order.GONE && !ended ? Outcome.Kind.GONE : Outcome.Kind.STALE,
                holdings.tombstones.newest(id, now.nanos()));
    }

    private void word(InstanceId id, Word word, @Nullable StoredInstance known, Now now) {
        if (word.version() == 0
                || !holdings.operatorStatuses.set(id, word, Holdings.goneSince(known, now), now.epochMillis())) {
            return;
        }
        if (known != null) {
            holdings.change(known, known.instance());
        }
    }

    private static Outcome taken(long generation) {
        return new Outcome(Outcome.Kind.TAKEN, generation);
    }
}
