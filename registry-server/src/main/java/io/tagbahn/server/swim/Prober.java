// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Probes of other members, one each interval in a shuffled order, so that each is probed once a round; besides those,
 * probes out of turn. A probe goes directly first, then through others and over a stream at once.
 */
final class Prober {

    private static final class Probe {
        final MemberEntry target;
        final long seq;
        final long directUntilNanos;
        final long untilNanos;
        boolean indirect;
        long stream;
        boolean streamFailed;
        Evidence evidence = Evidence.SILENT;
        int nacksMissing;

        Probe(MemberEntry target, long seq, long directUntilNanos, long untilNanos) {
            this.target = target;
            this.seq = seq;
            this.directUntilNanos = directUntilNanos;
            this.untilNanos = untilNanos;
        }

        /** Whether all that were asked have answered that there is no answer. */
        boolean hopeless() {
            return streamFailed && nacksMissing == 0;
        }

        long nextNanos() {
            return hopeless() ? 0 : indirect ? untilNanos : directUntilNanos;
        }
    }

    private final SwimConfig swim;
    private final ProbeConfig config;
    private final Self self;
    private final MemberTable table;
    private final Outbox outbox;
    private final LocalHealth health;
    private final Wishes wishes;
    private final RandomGenerator random;
    private final Counters counters;
    private final Map<Long, Probe> probes = new LinkedHashMap<>();
    private final Map<Long, Probe> byStream = new HashMap<>();
    private List<MemberEntry> round = new ArrayList<>();
    private int at;
    private long nextNanos = Long.MAX_VALUE;

    Prober(
            SwimConfig swim,
            Self self,
            MemberTable table,
            Outbox outbox,
            LocalHealth health,
            Wishes wishes,
            RandomGenerator random,
            Counters counters) {
        this.swim = swim;
        this.config = swim.probe();
        this.self = self;
        this.table = table;
        this.outbox = outbox;
        this.health = health;
        this.wishes = wishes;
        this.random = random;
        this.counters = counters;
    }

    void begin(long nowNanos) {
        nextNanos = nowNanos + random.nextLong(config.interval().toNanos());
    }

    /** Drops all probes without a verdict: their answers may have come while this process was stopped. */
    void abandon(long nowNanos) {
        byStream.keySet().forEach(stream -> outbox.add(new Effect.CloseStream(stream)));
        byStream.clear();
        probes.clear();
        nextNanos = Math.min(nextNanos, nowNanos);
    }

    /** Goes on with the probes; returns the members whose probes failed. */
    List<Verdict> tick(long nowNanos) {
        List<Verdict> failed = advance(nowNanos);
        while (wishes.wantsProbe() && probes.size() < config.concurrentMax()) {
            wishes.nextProbe().flatMap(table::get).ifPresent(entry -> {
                if (entry.live() && probes.values().stream().noneMatch(probe -> probe.target == entry)) {
                    start(entry, nowNanos);
                }
            });
        }
        if (nowNanos >= nextNanos) {
            nextNanos = nowNanos + health.scaled(config.interval().toNanos());
            MemberEntry next = nextInTurn();
            if (next != null && probes.size() < config.concurrentMax()) {
                start(next, nowNanos);
            }
        }
        return failed;
    }

    private List<Verdict> advance(long nowNanos) {
        List<Verdict> failed = new ArrayList<>();
        Iterator<Probe> iterator = probes.values().iterator();
        while (iterator.hasNext()) {
            Probe probe = iterator.next();
            if (!probe.indirect && nowNanos >= probe.directUntilNanos) {
                askOthers(probe);
            }
            if (nowNanos >= probe.untilNanos || probe.hopeless()) {
                iterator.remove();
                if (byStream.remove(probe.stream) != null) {
                    outbox.add(new Effect.CloseStream(probe.stream));
                }
                counters.increment(SwimCounter.PROBES_FAILED);
                // With all helpers' word that the target is silent, the fault is hardly ours.
                health.worse(probe.nacksMissing);
                failed.add(new Verdict(probe.target, probe.evidence));
            }
        }
        return failed;
    }

    private @Nullable MemberEntry nextInTurn() {
        for (MemberEntry newcomer : wishes.newcomers()) {
            round.add(at + random.nextInt(round.size() - at + 1), newcomer);
        }
        for (int rounds = 0; rounds < 2; rounds++) {
            while (at < round.size()) {
                MemberEntry entry = round.get(at++);
                if (entry.live()) {
                    return entry;
                }
            }
            round = new ArrayList<>(table.live());
            Shuffle.shuffle(round, random);
            at = 0;
        }
        return null;
    }

    private void start(MemberEntry target, long nowNanos) {
        counters.increment(SwimCounter.PROBES);
        Probe probe = new Probe(
                target,
                random.nextLong() >>> 16,
                nowNanos + Math.min(health.scaled(config.timeout().toNanos()), scaledInterval()),
                nowNanos + scaledInterval());
        probe.nacksMissing = 1;
        probes.put(probe.seq, probe);
        Message.Ping ping = new Message.Ping(probe.seq, target.id());
        if (target.suspicion != null) {
            // The suspect is told first, so that it can refute soonest.
            outbox.send(target.address(), ping, target.claim(self.id()));
        } else {
            outbox.send(target.address(), ping);
        }
    }

    private long scaledInterval() {
        return health.scaled(config.interval().toNanos());
    }

    private void askOthers(Probe probe) {
        counters.increment(SwimCounter.PROBES_INDIRECT);
        probe.indirect = true;
        MemberEntry target = probe.target;
        List<MemberEntry> helpers = table.draw(config.indirect(), entry -> entry != target && entry.suspicion == null);
        for (MemberEntry helper : helpers) {
            outbox.send(helper.address(), new Message.PingReq(probe.seq, target.id(), target.address()));
        }
        // With nobody to ask, the fault may be ours.
        probe.nacksMissing = helpers.isEmpty() ? 1 : helpers.size();
        probe.stream =
                outbox.open(target.address(), new StreamMessage.StreamPing(swim.cluster(), self.id(), target.id()));
        byStream.put(probe.stream, probe);
    }

    void acked(long seq, String target) {
        Probe probe = probes.get(seq);
        if (probe != null && probe.target.id().equals(target)) {
            succeed(probe);
        }
    }

    void nacked(long seq) {
        Probe probe = probes.get(seq);
        if (probe != null && probe.nacksMissing > 0) {
            probe.nacksMissing--;
        }
    }

    /** Whether the stream is one of ours. */
    boolean answered(long stream, StreamMessage reply) {
        Probe probe = byStream.get(stream);
        if (probe == null) {
            return false;
        }
        if (reply instanceof StreamMessage.StreamAck ack && ack.target().equals(probe.target.id())) {
            succeed(probe);
        }
        return true;
    }

    /** Whether the stream was one of ours. */
    boolean failed(long stream, StreamFailure why) {
        Probe probe = byStream.remove(stream);
        if (probe == null) {
            return false;
        }
        probe.streamFailed = true;
        if (why == StreamFailure.REFUSED) {
            probe.evidence = Evidence.REFUSED;
        }
        return true;
    }

    private void succeed(Probe probe) {
        probes.remove(probe.seq);
        if (byStream.remove(probe.stream) != null) {
            outbox.add(new Effect.CloseStream(probe.stream));
        }
        health.better();
    }

    long nextNanos() {
        long next = nextNanos;
        for (Probe probe : probes.values()) {
            next = Math.min(next, probe.nextNanos());
        }
        return wishes.wantsProbe() && probes.size() < config.concurrentMax() ? 0 : next;
    }
}
