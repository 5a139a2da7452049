// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Membership as one node sees it: a state machine that takes bytes, times and results in and gives {@link Effect
 * effects} out. It does no I/O, reads no clock, has no threads; one thread owns it.
 *
 * <p>Times are nanoseconds of one monotonic clock of any origin. The driver calls {@link #tick} at {@link
 * #nextTickNanos}, or soon after any other call where that has become earlier. What a call returns has to be carried
 * out in order, before the effects of a later call.
 */
public final class SwimMachine {

    private static final int LEAVE_ROUNDS_MAX = 20;
    private static final int LEAVE_ROUNDS_MIN = 3;

    /** A time so distant that a driver may call it never. */
    private static final long IDLE_NANOS = 3_600_000_000_000L;

    private final SwimConfig config;
    private final Self self;
    private final Counters counters = new Counters();
    private final LocalHealth health;
    private final MemberTable table;
    private final GossipQueue gossip;
    private final Outbox outbox;
    private final Wishes wishes;
    private final Inquest inquest;
    private final Ledger ledger;
    private final Prober prober;
    private final Relays relays;
    private final Exchanger exchanger;
    private final Joiner joiner;
    private final Healer healer;
    private final long originNanos;
    private long nowNanos;
    private long wakeNanos = Long.MAX_VALUE;
    private long gossipAtNanos = Long.MAX_VALUE;
    private long leaveUntilNanos = Long.MAX_VALUE;
    private int leaveRounds;

    /**
     * @param incarnation above any that an earlier run of this id used, as far as it is known
     * @param seeds what {@link Effect.ResolveSeeds} hands back, in whatever form the driver understands
     * @param remembered the addresses last kept by {@link Effect.PersistPeers}
     * @param random draws targets and pauses; the same draws give the same run
     * @param originNanos the time now
     */
    public SwimMachine(
            SwimConfig config,
            NodeRecord node,
            long incarnation,
            List<String> seeds,
            List<HostPort> remembered,
            RandomGenerator random,
            long originNanos) {
        this.config = config;
        this.originNanos = originNanos;
        this.self = new Self(node, incarnation);
        this.health = new LocalHealth(config.probe().healthMax());
        this.table = new MemberTable(config.heal().rememberedMax(), random);
        this.gossip = new GossipQueue(config.gossip().claimsMax(), counters);
        this.outbox = new Outbox(config, node.id(), gossip, counters);
        this.wishes = new Wishes(config.exchange().wishesMax());
        this.inquest = new Inquest(config, self, table, outbox);
        this.ledger = new Ledger(config, self, table, gossip, outbox, health, wishes, inquest, random, counters);
        this.prober = new Prober(config, self, table, outbox, health, wishes, random, counters);
        this.relays = new Relays(config.probe(), outbox, random);
        this.exchanger = new Exchanger(config, self, table, ledger, outbox, wishes, random, counters);
        this.joiner = new Joiner(config.join(), self, seeds, remembered, outbox, wishes, random);
        this.healer = new Healer(config.heal(), self, table, ledger, outbox, wishes, seeds, random);
    }

    /** Begins; to be called once, before anything else. */
    public List<Effect> start(long now) {
        enter(now);
        outbox.add(new Effect.PersistIncarnation(self.incarnation()));
        gossip.put(self.claim());
        gossipAtNanos = nowNanos;
        prober.begin(nowNanos);
        exchanger.begin(nowNanos);
        healer.begin(nowNanos);
        joiner.begin(nowNanos);
        return leave();
    }

    /** Does what is due. */
    public List<Effect> tick(long now) {
        enter(now);
        if (self.phase() == Self.Phase.STOPPED) {
            return leave();
        }
        for (Verdict verdict : prober.tick(nowNanos)) {
            ledger.accuse(verdict.target(), verdict.evidence(), nowNanos);
        }
        relays.tick(nowNanos);
        ledger.expire(nowNanos);
        if (self.takesPart()) {
            joiner.tick(nowNanos);
            healer.tick(nowNanos);
            exchanger.tick(nowNanos);
            inquest.tick(nowNanos);
        }
        if (nowNanos >= gossipAtNanos) {
            tell();
        }
        return leave();
    }

    /** A datagram, decrypted; whatever it holds, nothing is thrown. */
    public List<Effect> datagram(HostPort from, byte[] bytes, long now) {
        enter(now);
        counters.increment(SwimCounter.DATAGRAMS_RECEIVED);
        counters.add(SwimCounter.DATAGRAM_BYTES_RECEIVED, bytes.length);
        Optional<Packet> packet = PacketCodec.decode(bytes);
        if (packet.isEmpty()) {
            counters.increment(SwimCounter.BAD_MESSAGES);
        } else if (!packet.get().cluster().equals(config.cluster())) {
            counters.increment(SwimCounter.FOREIGN_MESSAGES);
        } else if (self.phase() != Self.Phase.STOPPED) {
            hear(packet.get(), from);
        }
        return leave();
    }

    private void hear(Packet packet, HostPort from) {
        String sender = packet.sender();
        // Claims first: a refutation that comes with a ping or its answer counts at once.
        for (Message message : packet.messages()) {
            if (message instanceof Claim claim) {
                ledger.hear(claim, sender, from, nowNanos);
            }
        }
        if (self.takesPart() && !sender.equals(self.id())) {
            notice(sender, from);
        }
        for (Message message : packet.messages()) {
            if (message instanceof Message.Ping ping) {
                ping(ping, sender, from);
            } else if (message instanceof Message.PingReq request) {
                // Only to addresses of members: nobody can aim our pings elsewhere.
                table.get(request.target())
                        .filter(MemberEntry::live)
                        .ifPresent(target -> relays.ping(from, request.seq(), target, nowNanos));
            } else if (message instanceof Message.Ack ack) {
                prober.acked(ack.seq(), ack.target());
                relays.acked(ack.seq(), ack.target());
            } else if (message instanceof Message.Nack nack) {
                prober.nacked(nack.seq());
            }
        }
    }

    /** One that talks to us while we hold it dead or don't know it: the two of us have to compare lists. */
    private void notice(String sender, HostPort from) {
        MemberEntry entry = table.get(sender).orElse(null);
        if (entry == null) {
            wishes.exchange(from);
        } else if (entry.state == MemberState.DEAD) {
            wishes.exchange(entry.address());
        }
    }

    private void ping(Message.Ping ping, String sender, HostPort from) {
        if (!ping.target().equals(self.id())) {
            // Meant for one that had this address before: say who has it now.
            outbox.send(from, self.claim());
            return;
        }
        Message.Ack ack = new Message.Ack(ping.seq(), self.id());
        Optional<MemberEntry> entry = table.get(sender).filter(known -> known.state != MemberState.ALIVE);
        if (entry.isPresent()) {
            outbox.send(from, ack, entry.get().claim(self.id()));
        } else {
            outbox.send(from, ack);
        }
    }

    /** A message on a stream that another member opened; an {@link Effect.Reply} belongs on the same stream. */
    public List<Effect> accept(HostPort from, byte[] bytes, long now) {
        enter(now);
        Optional<StreamMessage> message = decoded(bytes);
        if (message.isPresent() && self.phase() != Self.Phase.STOPPED) {
            exchanger.accept(from, message.get(), nowNanos);
        }
        return leave();
    }

    /** The reply on a stream that {@link Effect.OpenStream} asked for. */
    public List<Effect> answered(long stream, byte[] reply, long now) {
        enter(now);
        Optional<StreamMessage> message = decoded(reply);
        if (message.isEmpty()) {
            fail(stream, StreamFailure.OTHER);
            outbox.add(new Effect.CloseStream(stream));
        } else if (self.phase() != Self.Phase.STOPPED && inquest.isAsked(stream)) {
            inquest.answered(stream, message.get(), nowNanos).ifPresent(ledger::heldDead);
        } else if (self.phase() != Self.Phase.STOPPED && !prober.answered(stream, message.get())) {
            exchanger.answered(stream, message.get(), nowNanos);
        }
        return leave();
    }

    /** A stream that {@link Effect.OpenStream} asked for could not be opened, or closed without a reply. */
    public List<Effect> failed(long stream, StreamFailure why, long now) {
        enter(now);
        fail(stream, why);
        return leave();
    }

    private void fail(long stream, StreamFailure why) {
        if (!inquest.failed(stream, nowNanos) && !prober.failed(stream, why)) {
            exchanger.failed(stream);
        }
    }

    private Optional<StreamMessage> decoded(byte[] bytes) {
        Optional<StreamMessage> message = StreamCodec.decode(bytes);
        if (message.isEmpty()) {
            counters.increment(SwimCounter.BAD_MESSAGES);
            return message;
        }
        if (!message.get().cluster().equals(config.cluster())) {
            counters.increment(SwimCounter.FOREIGN_MESSAGES);
            return Optional.empty();
        }
        return message;
    }

    /** The gossip addresses behind the seeds, as far as they could be found. */
    public List<Effect> seedsResolved(List<HostPort> addresses, long now) {
        enter(now);
        if (self.joining()) {
            joiner.seedsResolved(addresses, nowNanos);
        } else if (self.takesPart()) {
            healer.seedsResolved(addresses);
        }
        return leave();
    }

    /** Something hints that a member is gone, such as a connection that it closed: it is probed at once. */
    public List<Effect> linkLost(String id, long now) {
        enter(now);
        wishes.probe(id);
        return leave();
    }

    /** Tells the others new metadata of this node. */
    public List<Effect> announce(Map<String, String> metadata, long now) {
        enter(now);
        if (self.takesPart()) {
            ledger.describe(self.node().withMetadata(metadata));
            // Gossip misses one now and then, and what this says may decide who is asked for what.
            for (MemberEntry entry : table.draw(Exchanger.TOLD_DIRECTLY_MAX, entry -> true)) {
                outbox.send(entry.address(), self.claim());
            }
        }
        return leave();
    }

    /** Leaves in order: {@link Effect.LeaveSpread} comes when the others know, or can't be told. */
    public List<Effect> leaveCluster(long now) {
        enter(now);
        if (self.takesPart()) {
            self.enter(Self.Phase.LEAVING);
            Claim.Left left = new Claim.Left(self.id(), self.incarnation());
            gossip.put(left);
            for (MemberEntry entry : table.draw(Exchanger.TOLD_DIRECTLY_MAX, entry -> true)) {
                outbox.send(entry.address(), left);
            }
            leaveUntilNanos =
                    nowNanos + LEAVE_ROUNDS_MAX * config.gossip().interval().toNanos();
            leaveRounds = 0;
            gossipAtNanos = nowNanos;
        }
        return leave();
    }

    /** One round of gossip. */
    private void tell() {
        long interval = config.gossip().interval().toNanos();
        gossipAtNanos = nowNanos + interval;
        if (!gossip.isEmpty()) {
            List<MemberEntry> told = new ArrayList<>(table.draw(config.gossip().fanout(), entry -> true));
            long since = nowNanos - config.gossip().toDead().toNanos();
            for (MemberEntry entry : table.gone()) {
                if (told.size() == config.gossip().fanout()) {
                    break;
                }
                if (entry.state == MemberState.DEAD && entry.sinceNanos > since) {
                    told.add(entry);
                }
            }
            for (MemberEntry entry : told) {
                if (!gossip.isEmpty()) {
                    outbox.send(entry.address());
                }
            }
        }
        if (self.phase() == Self.Phase.LEAVING) {
            leaveRounds++;
            boolean spread = leaveRounds >= LEAVE_ROUNDS_MIN
                    && gossip.told(self.id(), outbox.transmitsMax()) >= outbox.transmitsMax();
            if (table.liveCount() == 0 || spread || nowNanos >= leaveUntilNanos) {
                self.enter(Self.Phase.STOPPED);
                outbox.add(new Effect.LeaveSpread());
            }
        }
    }

    /** Takes the time, and notices whether this process had been stopped. */
    private void enter(long now) {
        nowNanos = Math.max(nowNanos, now - originNanos);
        long lateNanos = nowNanos - wakeNanos;
        if (wakeNanos != Long.MAX_VALUE
                && lateNanos > config.probe().lateAfter().toNanos()) {
            counters.increment(SwimCounter.PAUSES);
            health.worse((int) Math.min(
                    config.probe().healthMax(),
                    1 + lateNanos / config.probe().timeout().toNanos()));
            prober.abandon(nowNanos);
            ledger.postpone(lateNanos);
            wakeNanos = nowNanos;
        }
    }

    private List<Effect> leave() {
        wakeNanos = self.phase() == Self.Phase.STOPPED ? Long.MAX_VALUE : Math.max(nowNanos, nextNanos());
        return outbox.flush();
    }

    private long nextNanos() {
        long next = Math.min(prober.nextNanos(), relays.nextNanos());
        next = Math.min(next, ledger.nextNanos());
        if (self.takesPart()) {
            next = Math.min(next, exchanger.nextNanos());
            next = Math.min(next, inquest.nextNanos());
            next = Math.min(next, joiner.nextNanos());
            next = Math.min(next, healer.nextNanos());
        }
        boolean news = !gossip.isEmpty() || self.phase() == Self.Phase.LEAVING;
        return news ? Math.min(next, gossipAtNanos) : next;
    }

    /** When {@link #tick} is due, on the driver's clock; a distant time where nothing will ever be due. */
    public long nextTickNanos() {
        return originNanos + Math.min(wakeNanos, nowNanos + IDLE_NANOS);
    }

    /** All members that are listed, this node included, in the order of their ids. */
    public List<MemberView> members() {
        List<MemberView> members = new ArrayList<>();
        members.add(new MemberView(self.node(), self.incarnation(), selfState()));
        table.live().forEach(entry -> members.add(entry.view()));
        table.gone().stream().filter(entry -> !entry.forgotten).forEach(entry -> members.add(entry.view()));
        members.sort(Comparator.comparing(MemberView::id));
        return List.copyOf(members);
    }

    private MemberState selfState() {
        return switch (self.phase()) {
            case JOINING -> MemberState.JOINING;
            case MEMBER -> MemberState.ALIVE;
            case LEAVING, STOPPED -> MemberState.LEFT;
        };
    }

    /** What this node thinks of the member of this id; empty where it does not list it. */
    public Optional<MemberView> member(String id) {
        if (id.equals(self.id())) {
            return Optional.of(new MemberView(self.node(), self.incarnation(), selfState()));
        }
        return table.get(id).filter(entry -> !entry.forgotten).map(MemberEntry::view);
    }

    /** Members that take part, this one included. */
    public int liveMembers() {
        return ledger.members();
    }

    /** Grows whenever the list of the other members changes. */
    public long version() {
        return ledger.version();
    }

    /** Whether this node belongs to a cluster, be it one of its own. */
    public boolean joined() {
        return self.phase() == Self.Phase.MEMBER;
    }

    /** The local health score: 0 where this node finds itself in good health. */
    public int health() {
        return health.score();
    }

    public long count(SwimCounter counter) {
        return counters.get(counter);
    }
}
