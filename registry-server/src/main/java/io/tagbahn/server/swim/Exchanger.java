// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges of whole states. A request carries a digest, so that two members that agree exchange a few bytes, whatever
 * the size of the cluster; else the reply is the replier's list, and a push of what it lacked ends the exchange.
 */
final class Exchanger {

    private record Exchange(HostPort to, long untilNanos) {}

    /** Members told directly by one that goes, or says something new of itself. */
    static final int TOLD_DIRECTLY_MAX = 32;

    private static final Logger log = LoggerFactory.getLogger(Exchanger.class);

    private final SwimConfig config;
    private final Self self;
    private final MemberTable table;
    private final Ledger ledger;
    private final Outbox outbox;
    private final Wishes wishes;
    private final RandomGenerator random;
    private final Counters counters;
    private final Map<Long, Exchange> underWay = new LinkedHashMap<>();
    private long nextNanos = Long.MAX_VALUE;

    Exchanger(
            SwimConfig config,
            Self self,
            MemberTable table,
            Ledger ledger,
            Outbox outbox,
            Wishes wishes,
            RandomGenerator random,
            Counters counters) {
        this.config = config;
        this.self = self;
        this.table = table;
        this.ledger = ledger;
        this.outbox = outbox;
        this.wishes = wishes;
        this.random = random;
        this.counters = counters;
    }

    void begin(long nowNanos) {
        nextNanos = nowNanos + random.nextLong(config.exchange().interval().toNanos());
    }

    void tick(long nowNanos) {
        List<Long> over = new ArrayList<>();
        underWay.forEach((stream, exchange) -> {
            if (exchange.untilNanos() <= nowNanos) {
                over.add(stream);
            }
        });
        for (long stream : over) {
            outbox.add(new Effect.CloseStream(stream));
            failed(stream);
        }
        if (nowNanos >= nextNanos) {
            // Members that started together drift apart.
            long interval = config.exchange().interval().toNanos();
            nextNanos = nowNanos + interval - interval / 8 + random.nextLong(interval / 4);
            table.draw(1, entry -> true).forEach(entry -> wishes.exchange(entry.address()));
        }
        while (wishes.wantsExchange() && underWay.size() < config.exchange().concurrentMax()) {
            wishes.nextExchange().ifPresent(address -> open(address, nowNanos));
        }
    }

    private void open(HostPort address, long nowNanos) {
        if (address.equals(self.node().gossip())
                || underWay.values().stream().anyMatch(exchange -> exchange.to().equals(address))) {
            return;
        }
        counters.increment(SwimCounter.EXCHANGES);
        StreamMessage.Request request =
                new StreamMessage.Request(config.cluster(), self.claim(), self.joining(), table.digest(self.claim()));
        long stream = outbox.open(address, request);
        underWay.put(
                stream,
                new Exchange(address, nowNanos + config.exchange().timeout().toNanos()));
    }

    boolean failed(long stream) {
        boolean ours = underWay.remove(stream) != null;
        if (ours) {
            counters.increment(SwimCounter.EXCHANGES_FAILED);
        }
        return ours;
    }

    /** A message on a stream that another member opened. */
    void accept(HostPort from, StreamMessage message, long nowNanos) {
        if (message instanceof StreamMessage.Request request) {
            request(request, nowNanos);
        } else if (message instanceof StreamMessage.Push push) {
            String sender = push.self().subject();
            if (!sender.equals(self.id())) {
                ledger.alive(push.self(), Optional.empty(), nowNanos);
                ledger.merge(push.entries(), sender, from, nowNanos);
                joined();
            }
        } else if (message instanceof StreamMessage.StreamPing ping
                && ping.target().equals(self.id())) {
            outbox.reply(new StreamMessage.StreamAck(config.cluster(), self.id()));
        } else if (message instanceof StreamMessage.DeathQuestion question) {
            long heldDeadUpTo = table.get(question.sender())
                    .map(entry -> entry.heldDeadUpTo)
                    .orElse(-1L);
            outbox.reply(new StreamMessage.DeathAnswer(
                    config.cluster(), heldDeadUpTo < 0 ? OptionalLong.empty() : OptionalLong.of(heldDeadUpTo)));
        }
    }

    private void request(StreamMessage.Request request, long nowNanos) {
        Claim.Alive requester = request.self();
        if (requester.subject().equals(self.id())) {
            sameIdentity(requester, request.joining());
            return;
        }
        MemberEntry held = table.get(requester.subject()).orElse(null);
        if (held != null
                && held.live()
                && !held.address().equals(requester.node().gossip())) {
            counters.increment(SwimCounter.IDENTITIES_REFUSED);
            wishes.probe(held.id());
            outbox.reply(
                    new StreamMessage.Taken(config.cluster(), new Claim.Alive(held.node, held.incarnation), false));
            return;
        }
        ledger.alive(requester, Optional.empty(), nowNanos);
        if (request.digest() == table.digest(self.claim())) {
            outbox.reply(new StreamMessage.Same(config.cluster(), self.claim()));
        } else {
            outbox.reply(new StreamMessage.Whole(config.cluster(), self.claim(), self.joining(), list()));
        }
    }

    private void sameIdentity(Claim.Alive other, boolean otherJoining) {
        if (other.node().sameProcess(self.node())) {
            return; // This node itself, by another of its addresses.
        }
        if (outranks(other, otherJoining)) {
            stepDown(other.node().gossip());
        } else {
            counters.increment(SwimCounter.IDENTITIES_REFUSED);
            outbox.reply(new StreamMessage.Taken(config.cluster(), self.claim(), self.joining()));
        }
    }

    /** Whether another process of our id is to keep it: members before newcomers, then the higher incarnation. */
    private boolean outranks(Claim.Alive other, boolean otherJoining) {
        if (otherJoining || self.joining()) {
            return !otherJoining;
        }
        return other.incarnation() != self.incarnation()
                ? other.incarnation() > self.incarnation()
                : other.node().run() > self.node().run();
    }

    private void stepDown(HostPort holder) {
        if (self.joining()) {
            outbox.add(new Effect.IdentityTaken(holder, false));
        } else if (self.takesPart()) {
            log.warn("id {} is held by {}: stepping down", self.id(), holder);
            self.enter(Self.Phase.STOPPED);
            Claim.Left left = new Claim.Left(self.id(), self.incarnation());
            table.draw(TOLD_DIRECTLY_MAX, entry -> true).forEach(entry -> outbox.send(entry.address(), left));
            outbox.add(new Effect.IdentityTaken(holder, true));
        }
    }

    /** Whether the stream is one of ours. */
    boolean answered(long stream, StreamMessage reply, long nowNanos) {
        Exchange exchange = underWay.remove(stream);
        if (exchange == null) {
            return false;
        }
        if (reply instanceof StreamMessage.Whole whole
                && !whole.self().subject().equals(self.id())) {
            String sender = whole.self().subject();
            ledger.alive(whole.self(), Optional.empty(), nowNanos);
            ledger.mergeAnswer(whole.entries(), sender, exchange.to(), nowNanos);
            joined();
            List<StateEntry> lacking = lacking(whole);
            if (!lacking.isEmpty()) {
                outbox.push(stream, new StreamMessage.Push(config.cluster(), self.claim(), lacking));
                return true;
            }
        } else if (reply instanceof StreamMessage.Same same
                && !same.self().subject().equals(self.id())) {
            ledger.alive(same.self(), Optional.empty(), nowNanos);
            joined();
        } else if (reply instanceof StreamMessage.Taken taken
                && taken.holder().subject().equals(self.id())) {
            taken(taken, exchange);
        }
        outbox.add(new Effect.CloseStream(stream));
        return true;
    }

    private void taken(StreamMessage.Taken taken, Exchange exchange) {
        HostPort holder = taken.holder().node().gossip();
        if (self.joining() || (holder.equals(exchange.to()) && outranks(taken.holder(), taken.joining()))) {
            stepDown(holder);
        } else {
            wishes.exchange(holder);
        }
    }

    private void joined() {
        if (self.joining()) {
            self.enter(Self.Phase.MEMBER);
            log.info("member {} joined a cluster of {}", self.id(), ledger.members());
            outbox.add(new Effect.Joined(false));
        }
    }

    private List<StateEntry> list() {
        List<StateEntry> entries = new ArrayList<>();
        for (MemberEntry entry : table.live()) {
            entries.add(entry.stateEntry());
        }
        int skipped = table.gone().size() - CodecLimits.DEAD_TOLD_MAX;
        for (MemberEntry entry : table.gone()) {
            if (skipped-- <= 0) {
                entries.add(entry.stateEntry());
            }
        }
        return entries;
    }

    private List<StateEntry> lacking(StreamMessage.Whole whole) {
        Map<String, StateEntry> theirs = new HashMap<>();
        whole.entries().forEach(entry -> theirs.put(entry.node().id(), entry));
        List<StateEntry> lacking = new ArrayList<>(list());
        lacking.removeIf(ours -> {
            StateEntry their = theirs.get(ours.node().id());
            return ours.node().id().equals(whole.self().subject())
                    || (their != null && !newer(ours.incarnation(), ours.state(), their));
        });
        StateEntry me = theirs.get(self.id());
        if (me != null && newer(self.incarnation(), MemberState.ALIVE, me)) {
            // Our claim in the push says it: it need not be empty for that.
            lacking.add(new StateEntry(self.node(), self.incarnation(), MemberState.ALIVE));
        }
        return lacking;
    }

    private static boolean newer(long incarnation, MemberState state, StateEntry their) {
        return incarnation != their.incarnation()
                ? incarnation > their.incarnation()
                : state.compareTo(their.state()) > 0;
    }

    long nextNanos() {
        long next = nextNanos;
        for (Exchange exchange : underWay.values()) {
            next = Math.min(next, exchange.untilNanos());
        }
        boolean room = underWay.size() < config.exchange().concurrentMax();
        return room && wishes.wantsExchange() ? 0 : next;
    }
}
