// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules by which claims change the table of members.
 *
 * <p>Nobody's word kills: a claim of death counts as a confirmed suspicion, so that each member gives the subject at
 * least the shortest time to refute, counted by its own clock. Only members held alive may accuse.
 */
final class Ledger {

    /** No member gets so far ahead of what is known of it; a claim that says so is forged or broken. */
    private static final long INCARNATION_JUMP_MAX = 1L << 20;

    /** Expected number of members that check a suspicion which they heard of, whatever the size of the cluster. */
    private static final double CHECKERS = 6;

    private static final Logger log = LoggerFactory.getLogger(Ledger.class);

    private final SwimConfig config;
    private final Self self;
    private final MemberTable table;
    private final GossipQueue gossip;
    private final Outbox outbox;
    private final LocalHealth health;
    private final Wishes wishes;
    private final Inquest inquest;
    private final RandomGenerator random;
    private final Counters counters;
    private long version;
    /** The highest incarnation of which this node was held dead. */
    private long deadUpTo = -1;

    Ledger(
            SwimConfig config,
            Self self,
            MemberTable table,
            GossipQueue gossip,
            Outbox outbox,
            LocalHealth health,
            Wishes wishes,
            Inquest inquest,
            RandomGenerator random,
            Counters counters) {
        this.config = config;
        this.self = self;
        this.table = table;
        this.gossip = gossip;
        this.outbox = outbox;
        this.health = health;
        this.wishes = wishes;
        this.inquest = inquest;
        this.random = random;
        this.counters = counters;
    }

    /** Grows with each change of the list of members. */
    long version() {
        return version;
    }

    /** Members that take part, this one included. */
    int members() {
        return table.liveCount() + 1;
    }

    /**
     * Takes up a claim.
     *
     * @param sender id of the member that sent it
     * @param from where it came from
     */
    void hear(Claim claim, String sender, HostPort from, long nowNanos) {
        if (claim.subject().equals(self.id()) && !(claim instanceof Claim.Alive)) {
            if (claim instanceof Claim.Dead dead && isNews(dead.incarnation())) {
                inquest.ask(dead.accuser());
                inquest.ask(sender);
            }
            refute(claim.incarnation(), from);
        } else if (claim instanceof Claim.Alive alive) {
            Optional<HostPort> subject = sender.equals(alive.subject()) ? Optional.of(from) : Optional.empty();
            alive(alive, subject, nowNanos);
        } else if (claim instanceof Claim.Suspect suspect) {
            accused(suspect, false, nowNanos);
        } else if (claim instanceof Claim.Dead dead) {
            accused(
                    new Claim.Suspect(dead.subject(), dead.incarnation(), dead.accuser(), Evidence.SILENT),
                    true,
                    nowNanos);
        } else if (claim instanceof Claim.Left left) {
            left(left, nowNanos);
        }
    }

    /** @param subject address to answer where the subject itself speaks */
    void alive(Claim.Alive claim, Optional<HostPort> subject, long nowNanos) {
        if (claim.subject().equals(self.id())) {
            aliveSelf(claim);
            return;
        }
        MemberEntry entry = table.get(claim.subject()).orElse(null);
        if (entry == null) {
            admit(claim, nowNanos);
            return;
        }
        if (entry.live() && !entry.address().equals(claim.node().gossip())) {
            // The id is held: its holder stays unless it turns out to be gone.
            counters.increment(SwimCounter.IDENTITIES_REFUSED);
            wishes.probe(entry.id());
            return;
        }
        if (claim.incarnation() > entry.incarnation) {
            if (entry.live() && claim.incarnation() - entry.incarnation > INCARNATION_JUMP_MAX) {
                counters.increment(SwimCounter.CLAIMS_REFUSED);
            } else if (entry.live() || roomFor(claim)) {
                accept(claim, entry, nowNanos);
            }
        } else if (subject.isPresent() && outdated(claim, entry)) {
            outbox.send(subject.get(), entry.claim(self.id()));
        }
    }

    private static boolean outdated(Claim.Alive claim, MemberEntry entry) {
        return claim.incarnation() < entry.incarnation
                || entry.state != MemberState.ALIVE
                || !entry.node.sameProcess(claim.node());
    }

    private void aliveSelf(Claim.Alive claim) {
        if (!self.takesPart() || claim.incarnation() < self.incarnation()) {
            return;
        }
        if (!claim.node().gossip().equals(self.node().gossip())) {
            // Another process may hold our id: only its own word, in an exchange, counts.
            wishes.exchange(claim.node().gossip());
        } else if (claim.incarnation() > self.incarnation() || !claim.node().sameProcess(self.node())) {
            outgrow(claim.incarnation());
        }
    }

    private boolean roomFor(Claim.Alive claim) {
        boolean room = table.liveCount() + 1 < config.membersMax();
        if (!room) {
            counters.increment(SwimCounter.MEMBERS_REFUSED);
            log.debug("no room for member {}", claim.subject());
        }
        return room;
    }

    private void admit(Claim.Alive claim, long nowNanos) {
        if (!roomFor(claim)) {
            return;
        }
        MemberEntry entry = new MemberEntry(claim.node(), claim.incarnation(), MemberState.ALIVE, nowNanos);
        welcome(claim, entry, Optional.empty(), false, nowNanos);
    }

    private void accept(Claim.Alive claim, MemberEntry entry, long nowNanos) {
        MemberState before = entry.state;
        boolean changed = before != MemberState.ALIVE || !entry.node.equals(claim.node());
        boolean restarted = entry.node.run() != claim.node().run();
        table.readdress(entry);
        entry.node = claim.node();
        entry.incarnation = claim.incarnation();
        if (!changed) {
            table.place(entry);
            gossip.put(claim);
            return;
        }
        entry.state = MemberState.ALIVE;
        entry.sinceNanos = nowNanos;
        welcome(claim, entry, Optional.of(before), restarted, nowNanos);
    }

    private void welcome(
            Claim.Alive claim, MemberEntry entry, Optional<MemberState> before, boolean restarted, long nowNanos) {
        Optional<MemberEntry> occupant = table.liveAt(entry.address()).filter(other -> other != entry);
        if (entry.liveIndex < 0) {
            wishes.welcome(entry);
        }
        table.place(entry);
        gossip.put(claim);
        changed(before, entry, restarted);
        // Two processes can't have one address: the earlier one has gone, unless it refutes.
        occupant.ifPresent(other -> accuse(other, Evidence.SILENT, nowNanos));
    }

    /** Accuses a member that did not answer us. */
    void accuse(MemberEntry entry, Evidence evidence, long nowNanos) {
        if (!entry.live()) {
            return;
        }
        Claim.Suspect claim = new Claim.Suspect(entry.id(), entry.incarnation, self.id(), evidence);
        if (entry.suspicion == null) {
            counters.increment(SwimCounter.SUSPICIONS);
            suspect(entry, claim, nowNanos);
            outbox.send(entry.address(), claim);
        } else {
            confirm(entry, entry.suspicion, claim);
        }
    }

    private void accused(Claim.Suspect claim, boolean waited, long nowNanos) {
        MemberEntry entry = table.get(claim.subject()).orElse(null);
        if (entry == null || !entry.live() || claim.incarnation() < entry.incarnation) {
            return;
        }
        if (!mayAccuse(claim.accuser(), entry) || claim.incarnation() - entry.incarnation > INCARNATION_JUMP_MAX) {
            counters.increment(SwimCounter.CLAIMS_REFUSED);
            return;
        }
        entry.incarnation = claim.incarnation();
        if (entry.suspicion == null) {
            suspect(entry, claim, nowNanos);
            if (random.nextDouble() < CHECKERS / members()) {
                wishes.probe(entry.id());
            }
        } else {
            confirm(entry, entry.suspicion, claim);
        }
        if (waited && entry.suspicion != null && entry.suspicion.hasten()) {
            // Suspected here, it would refute that; it has to know that others left it out.
            outbox.send(entry.address(), new Claim.Dead(entry.id(), entry.incarnation, claim.accuser()));
        }
    }

    private boolean mayAccuse(String accuser, MemberEntry subject) {
        return !accuser.equals(subject.id())
                && table.get(accuser)
                        .filter(entry -> entry.state == MemberState.ALIVE)
                        .isPresent();
    }

    private void suspect(MemberEntry entry, Claim.Suspect claim, long nowNanos) {
        SuspicionConfig times = config.suspicion();
        int members = members();
        entry.suspicion = new Suspicion(
                claim.accuser(),
                claim.evidence(),
                nowNanos,
                times.minNanos(members, claim.evidence()),
                times.maxNanos(members, claim.evidence()),
                times.wanted(members));
        entry.state = MemberState.SUSPECT;
        entry.sinceNanos = nowNanos;
        table.place(entry);
        gossip.put(claim);
        changed(Optional.of(MemberState.ALIVE), entry, false);
    }

    private void confirm(MemberEntry entry, Suspicion suspicion, Claim.Suspect claim) {
        boolean news = suspicion.confirm(claim.accuser());
        Evidence evidence = suspicion.evidence();
        if (claim.evidence().compareTo(evidence) > 0) {
            news = true;
            evidence = claim.evidence();
            SuspicionConfig times = config.suspicion();
            suspicion.strengthen(evidence, times.minNanos(members(), evidence), times.maxNanos(members(), evidence));
        }
        if (news) {
            gossip.put(new Claim.Suspect(entry.id(), entry.incarnation, claim.accuser(), evidence));
        }
    }

    private void left(Claim.Left claim, long nowNanos) {
        MemberEntry entry = table.get(claim.subject()).orElse(null);
        if (entry != null && entry.state != MemberState.LEFT && claim.incarnation() >= entry.incarnation) {
            bury(entry, MemberState.LEFT, claim, nowNanos);
        }
    }

    /** Ends the suspicions whose time is over. */
    void expire(long nowNanos) {
        List<MemberEntry> expired = new ArrayList<>();
        for (MemberEntry entry : table.suspects()) {
            if (entry.suspicion != null && entry.suspicion.deadlineNanos() <= nowNanos) {
                expired.add(entry);
            }
        }
        for (MemberEntry entry : expired) {
            bury(entry, MemberState.DEAD, new Claim.Dead(entry.id(), entry.incarnation, self.id()), nowNanos);
        }
    }

    private void bury(MemberEntry entry, MemberState state, Claim claim, long nowNanos) {
        MemberState before = entry.state;
        entry.state = state;
        entry.incarnation = claim.incarnation();
        entry.sinceNanos = nowNanos;
        if (state == MemberState.DEAD) {
            entry.heldDeadUpTo = Math.max(entry.heldDeadUpTo, claim.incarnation());
        }
        table.place(entry);
        gossip.put(claim);
        if (!entry.forgotten) {
            changed(Optional.of(before), entry, false);
        }
    }

    /** Nanoseconds at which the next suspicion ends; {@link Long#MAX_VALUE} where there is none. */
    long nextNanos() {
        long next = Long.MAX_VALUE;
        for (MemberEntry entry : table.suspects()) {
            if (entry.suspicion != null) {
                next = Math.min(next, entry.suspicion.deadlineNanos());
            }
        }
        return next;
    }

    /** Gives all suspects the time back during which this process was stopped. */
    void postpone(long nanos) {
        for (MemberEntry entry : table.suspects()) {
            if (entry.suspicion != null) {
                entry.suspicion.postpone(nanos);
            }
        }
    }

    /** Takes up the list of another member, which it sent as its answer on a stream that was opened to it. */
    void mergeAnswer(List<StateEntry> entries, String sender, HostPort from, long nowNanos) {
        for (StateEntry entry : entries) {
            if (entry.state() == MemberState.DEAD && entry.node().id().equals(self.id())) {
                heldDead(entry.incarnation());
            }
        }
        merge(entries, sender, from, nowNanos);
    }

    /** Takes up the list of another member. */
    void merge(List<StateEntry> entries, String sender, HostPort from, long nowNanos) {
        for (StateEntry entry : entries) {
            String id = entry.node().id();
            long incarnation = entry.incarnation();
            switch (entry.state()) {
                case ALIVE, JOINING -> alive(new Claim.Alive(entry.node(), incarnation), Optional.empty(), nowNanos);
                case SUSPECT -> {
                    alive(new Claim.Alive(entry.node(), incarnation), Optional.empty(), nowNanos);
                    hear(new Claim.Suspect(id, incarnation, sender, Evidence.SILENT), sender, from, nowNanos);
                }
                case DEAD, LEFT -> {
                    if (table.get(id).isEmpty() && !id.equals(self.id())) {
                        remember(entry, nowNanos);
                    } else if (entry.state() == MemberState.DEAD) {
                        hear(new Claim.Dead(id, incarnation, sender), sender, from, nowNanos);
                    } else {
                        hear(new Claim.Left(id, incarnation), sender, from, nowNanos);
                    }
                }
            }
        }
    }

    /** Keeps in mind one that was gone before we heard of it, so that old gossip can't bring it back. */
    private void remember(StateEntry gone, long nowNanos) {
        MemberEntry entry = new MemberEntry(gone.node(), gone.incarnation(), gone.state(), nowNanos);
        entry.forgotten = true;
        if (gone.state() == MemberState.DEAD) {
            entry.heldDeadUpTo = gone.incarnation();
        }
        table.place(entry);
    }

    /** Whether this node has not heard yet that it was held dead at an incarnation, and can have been. */
    private boolean isNews(long incarnation) {
        boolean plausible = incarnation - self.incarnation() <= INCARNATION_JUMP_MAX;
        return self.takesPart() && plausible && incarnation > deadUpTo;
    }

    /**
     * A member says of itself that it has held this node dead; told once for each incarnation, as many say the same.
     */
    void heldDead(long incarnation) {
        if (isNews(incarnation)) {
            deadUpTo = incarnation;
            outbox.add(new Effect.TakenForDead());
            if (incarnation >= self.incarnation()) {
                outgrow(incarnation);
            }
        }
    }

    /** Denies a claim that this node is dead, suspect or gone. */
    private void refute(long claimed, HostPort from) {
        if (!self.takesPart()) {
            return;
        }
        if (claimed < self.incarnation()) {
            // Denied already, but the news has not reached this one, whose time for us may be running out.
            outbox.send(from, self.claim());
            return;
        }
        counters.increment(SwimCounter.REFUTATIONS);
        health.worse(1);
        outgrow(claimed);
    }

    private void outgrow(long claimed) {
        boolean plausible = self.joining() || claimed - self.incarnation() <= INCARNATION_JUMP_MAX;
        if (plausible && self.raiseAbove(claimed)) {
            outbox.add(new Effect.PersistIncarnation(self.incarnation()));
            gossip.put(self.claim());
        } else {
            counters.increment(SwimCounter.CLAIMS_REFUSED);
        }
    }

    /** Says something new of this node itself. */
    void describe(NodeRecord node) {
        self.describe(node);
        outgrow(self.incarnation());
    }

    /** Takes one off the list that was shown as gone for long enough. */
    void forget(MemberEntry entry) {
        entry.forgotten = true;
        version++;
        outbox.add(new Effect.Forgotten(entry.id()));
    }

    private void changed(Optional<MemberState> before, MemberEntry entry, boolean restarted) {
        version++;
        outbox.transmitsMax(config.gossip().transmitsMax(members()));
        outbox.add(new Effect.Changed(before, entry.view(), restarted));
        if (before.isEmpty() || before.get() != entry.state) {
            log.info(
                    "member {} {} -> {} at incarnation {}",
                    entry.id(),
                    before.map(MemberState::name).orElse("unknown"),
                    entry.state,
                    entry.incarnation);
        }
    }
}
