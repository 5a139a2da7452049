// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beat that renews all leases of a client, in one call at the shortest interval that any of them was granted.
 *
 * <p>Each pause is drawn anew from the last fifth before the interval's end, so that clients that began together drift
 * apart; after a failure, from the first half. Owned by the timer's thread.
 */
final class Heartbeat {

    /** Leases in one call; more take further calls at the same time. */
    static final int LEASES_PER_CALL_MAX = 1_000;

    private static final Duration INTERVAL_MIN = Duration.ofMillis(10);
    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private final CallGuard guard;
    private final RegistryClientConfig config;
    private final Timer timer;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final LeaseKeeper keeper;

    private Optional<Timer.Scheduled> next = Optional.empty();
    private long nextAtNanos;
    private int callsOut;
    private boolean failed;
    private boolean failing;
    private boolean stopped;

    Heartbeat(
            CallGuard guard,
            RegistryClientConfig config,
            Timer timer,
            LongSupplier nanos,
            RandomGenerator random,
            LeaseKeeper keeper) {
        this.guard = guard;
        this.config = config;
        this.timer = timer;
        this.nanos = nanos;
        this.random = random;
        this.keeper = keeper;
    }

    /** A lease was granted: beat within its interval, also where the present pause is longer. */
    void soon(LeaseGrant grant) {
        if (callsOut == 0) { // otherwise the end of the beat sees to it
            schedule(part(interval(grant), 0.5, 1.0));
        }
    }

    void stop() {
        stopped = true;
        next.ifPresent(Timer.Scheduled::cancel);
        next = Optional.empty();
    }

    private void beat() {
        next = Optional.empty();
        long now = nanos.getAsLong();
        List<LeaseRef> refs = new ArrayList<>();
        Duration interval = config.call().writeTimeout();
        for (KeptLease lease : keeper.leases()) {
            if (lease.known) {
                LeaseGrant grant = lease.grant.orElseThrow();
                refs.add(new LeaseRef(
                        grant.instanceId(), lease.accepted.orElseThrow().generation()));
                interval = min(interval, interval(grant));
                if (now - lease.renewedAtNanos > grant.lease().toNanos()) {
                    keeper.lost(lease);
                }
            }
        }
        failed = false;
        for (int from = 0; from < refs.size(); from += LEASES_PER_CALL_MAX) {
            callsOut++;
            call(List.copyOf(refs.subList(from, Math.min(refs.size(), from + LEASES_PER_CALL_MAX))), interval, now);
        }
    }

    private void call(List<LeaseRef> refs, Duration interval, long sentAtNanos) {
        Duration timeout = min(config.call().writeTimeout(), interval.dividedBy(2));
        CompletionStage<HeartbeatResult> beaten =
                guard.call(timeout, Criticality.CRITICAL, (node, context) -> node.heartbeat(refs, context));
        beaten.whenComplete((result, error) -> {
            try {
                timer.execute(() -> {
                    if (error == null) {
                        answered(refs, result, sentAtNanos);
                    } else {
                        failed(Failures.of(error).toString());
                    }
                    ended();
                });
            } catch (RejectedExecutionException e) {
                log.debug("closed while a heartbeat was on its way", e);
            }
        });
    }

    private void answered(List<LeaseRef> refs, HeartbeatResult result, long sentAtNanos) {
        Set<LeaseRef> unknown = new HashSet<>(result.unknown());
        Set<LeaseRef> superseded = new HashSet<>(result.superseded());
        for (LeaseRef ref : refs) {
            if (superseded.contains(ref)) {
                keeper.superseded(ref);
            } else if (unknown.contains(ref)) {
                keeper.unknown(ref);
            } else {
                keeper.renewed(ref, sentAtNanos);
            }
        }
    }

    private void failed(String reason) {
        failed = true;
        if (!failing) {
            failing = true;
            log.warn("heartbeats fail: {}", reason);
        }
    }

    /** When the last call of a beat has been answered, the next beat is due. */
    private void ended() {
        callsOut--;
        if (callsOut > 0) {
            return;
        }
        if (!failed && failing) {
            failing = false;
            log.info("heartbeats succeed again");
        }
        Optional<Duration> interval = Optional.empty();
        for (KeptLease lease : keeper.leases()) {
            if (lease.known) {
                Duration own = interval(lease.grant.orElseThrow());
                interval = Optional.of(interval.isPresent() ? min(interval.get(), own) : own);
            }
        }
        interval.ifPresent(length -> schedule(failed ? part(length, 0.0, 0.5) : part(length, 0.8, 1.0)));
    }

    private void schedule(Duration delay) {
        long atNanos = nanos.getAsLong() + delay.toNanos();
        if (stopped || (next.isPresent() && nextAtNanos - atNanos <= 0)) {
            return;
        }
        next.ifPresent(Timer.Scheduled::cancel);
        nextAtNanos = atNanos;
        next = Optional.of(timer.after(delay, this::beat));
    }

    private Duration part(Duration interval, double from, double to) {
        return Duration.ofNanos((long) (interval.toNanos() * (from + (to - from) * random.nextDouble())));
    }

    private static Duration interval(LeaseGrant grant) {
        return grant.heartbeat().compareTo(INTERVAL_MIN) < 0 ? INTERVAL_MIN : grant.heartbeat();
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
