// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts that are known, and which of them take calls: the one owner of the list. What was seen of a host stays for as
 * long as the list names it, so that a change of the list is no new start for the others.
 */
final class HostRoster {

    /** Hosts that are kept; what the list names besides is left out. */
    static final int HOSTS_MAX = 100_000;

    /** A host that is missing from the list for less than this is the same one when it is back, and not a new one. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(3);

    private static final int EJECTIONS_MAX = 10;
    private static final Logger log = LoggerFactory.getLogger(HostRoster.class);

    private final Locality here;
    private final CallerConfig config;
    private final LongSupplier nanos;
    private final CallTally tally;
    private final Optional<Outliers> outliers;
    private final TierLatencies latencies;
    private final List<AtomicLong> turns =
            Stream.generate(AtomicLong::new).limit(HostSet.TIERS + 1L).toList();
    private final CompletableFuture<HostSet> first = new CompletableFuture<>();
    private volatile HostSet hosts = HostSet.UNKNOWN;

    // Guarded by this.
    private Map<InstanceId, TrackedHost> tracked = new LinkedHashMap<>();

    private final Map<InstanceId, Gone> gone = new LinkedHashMap<>(); // at most HOSTS_MAX, the oldest first
    private Optional<Long> emptyAtNanos = Optional.empty();

    /** A host that was listed. */
    private record Gone(TrackedHost host, long atNanos) {}

    HostRoster(CallerConfig config, LongSupplier nanos, CallTally tally) {
        this.here = config.spread().here();
        this.config = config;
        this.nanos = nanos;
        this.tally = tally;
        this.latencies = new TierLatencies(nanos.getAsLong());
        this.outliers = config.ejection().map(Outliers::new);
    }

    HostSet hosts() {
        return hosts;
    }

    /** The first list that there is. */
    CompletableFuture<HostSet> first() {
        return first;
    }

    /**
     * The registry's list. One that is not complete adds hosts and takes none away. One that is empty has no effect for a
     * while: more often than that all instances end at once, a registry forgets them.
     */
    synchronized void listed(Collection<Instance> instances, boolean complete) {
        long now = nanos.getAsLong();
        if (instances.isEmpty() && (!complete || !tracked.isEmpty())) {
            if (complete && emptyAtNanos.isEmpty()) {
                emptyAtNanos = Optional.of(now);
                tally.tell(new CallEvent.HostsKept(tracked.size()));
            }
            return;
        }
        emptyAtNanos = Optional.empty();
        replace(instances, complete, now);
    }

    private void replace(Collection<Instance> instances, boolean complete, long now) {
        Map<InstanceId, TrackedHost> next = new LinkedHashMap<>();
        boolean begun = hosts.known();
        int came = 0;
        for (Instance instance : instances) {
            if (next.size() == HOSTS_MAX) {
                log.warn("{} hosts are listed, {} are used", instances.size(), HOSTS_MAX);
                break;
            }
            TrackedHost host = tracked.get(instance.id());
            if (host == null || !isAt(host, instance)) {
                Gone before = gone.remove(instance.id());
                host = before != null && isAt(before.host(), instance)
                        ? before.host()
                        : track(instance, begun && !tracked.isEmpty(), now);
                came++;
            }
            host.is(instance, here.distanceTo(instance.locality()));
            next.put(instance.id(), host);
        }
        int named = next.size();
        if (!complete) {
            tracked.forEach(next::putIfAbsent);
        }
        int went = tracked.size() - (next.size() - came);
        remember(next, now);
        tracked = next;
        publish();
        if (came > 0 || went > 0) {
            tally.tell(new CallEvent.HostsChanged(next.size(), came, went));
        }
        log.debug("{} hosts, {} of them named, {} new", next.size(), named, came);
    }

    private static boolean isAt(TrackedHost host, Instance instance) {
        return host.instance().address().equals(instance.address());
    }

    private void remember(Map<InstanceId, TrackedHost> next, long now) {
        gone.values().removeIf(each -> now - each.atNanos() >= REMEMBERED_FOR.toNanos());
        tracked.forEach((id, host) -> {
            if (!next.containsKey(id) && gone.size() < HOSTS_MAX) {
                gone.put(id, new Gone(host, now));
            }
        });
    }

    private TrackedHost track(Instance instance, boolean late, long now) {
        int roomMost = config.bulkhead().map(BulkheadConfig::perHostMax).orElse(HOSTS_MAX);
        Optional<CircuitBreaker> breaker = config.breaker()
                .map(each -> new CircuitBreaker(each, nanos, (from, to) -> breakerChanged(instance, from, to)));
        TrackedHost host = new TrackedHost(
                instance, breaker, latencies, roomMost, config.spread().slowStart(), now);
        int distance = here.distanceTo(instance.locality());
        host.joinAt(turns.get(distance).get());
        if (late) {
            host.startSlowly(now); // of those of the first list, all are alike
        }
        return host;
    }

    private void breakerChanged(Instance instance, CircuitBreaker.State from, CircuitBreaker.State to) {
        if (to == CircuitBreaker.State.OPEN) {
            tally.count(CallTally.Count.BREAKERS_OPENED);
        }
        log.info("breaker of {} {} -> {}", instance.address(), from, to);
        tally.tell(new CallEvent.BreakerChanged(instance, from.name(), to.name()));
    }

    /** What is to be done now and then: hosts are compared, those left out come back, those kept for too long go. */
    synchronized void sweep() {
        long now = nanos.getAsLong();
        Duration keep = config.spread().keepWhenEmpty();
        if (emptyAtNanos.isPresent() && now - emptyAtNanos.get() >= keep.toNanos()) {
            emptyAtNanos = Optional.empty();
            replace(List.of(), true, now);
        }
        if (outliers.isPresent() && config.ejection().isPresent()) {
            compare(outliers.get(), config.ejection().get(), now);
        }
    }

    private void compare(Outliers judge, EjectionConfig ejection, long now) {
        boolean changed = false;
        List<TrackedHost> in = new ArrayList<>();
        List<Outliers.Figures> records = new ArrayList<>();
        int out = 0;
        for (TrackedHost host : tracked.values()) {
            if (host.returns(now)) {
                host.startSlowly(now);
                tally.tell(new CallEvent.Returned(host.instance()));
                changed = true;
            }
            Outliers.Figures did = host.takeRecord();
            if (host.isEjected()) {
                out++;
            } else {
                in.add(host);
                records.add(did);
            }
        }
        List<Integer> found = judge.of(records, out);
        for (int place = 0; place < in.size(); place++) {
            TrackedHost host = in.get(place);
            if (found.contains(place)) {
                Duration outFor = host.eject(ejection.ejectFor(), EJECTIONS_MAX, now);
                tally.count(CallTally.Count.EJECTIONS);
                log.info("{} is left out for {}: {}", host.instance().address(), outFor, records.get(place));
                tally.tell(new CallEvent.Ejected(host.instance(), outFor));
                changed = true;
            } else if (records.get(place).calls() >= ejection.callsMin()) {
                host.forgive();
            }
        }
        if (changed) {
            publish();
        }
    }

    private void publish() {
        List<TrackedHost> all = new ArrayList<>();
        List<List<TrackedHost>> byDistance = Stream.generate(() -> (List<TrackedHost>) new ArrayList<TrackedHost>())
                .limit(HostSet.TIERS)
                .toList();
        for (TrackedHost host : tracked.values()) {
            if (!host.isEjected() && host.instance().weight() > 0) {
                all.add(host);
                byDistance.get(host.distance()).add(host);
            }
        }
        List<HostSet.Tier> tiers = new ArrayList<>();
        for (int distance = 0; distance < HostSet.TIERS; distance++) {
            if (!byDistance.get(distance).isEmpty()) {
                tiers.add(tier(byDistance.get(distance), turns.get(distance)));
            }
        }
        HostSet now = new HostSet(true, tiers, tier(all, turns.get(HostSet.TIERS)));
        hosts = now;
        first.complete(now);
    }

    private static HostSet.Tier tier(List<TrackedHost> hosts, AtomicLong turn) {
        return new HostSet.Tier(hosts.toArray(TrackedHost[]::new), turn);
    }

    /** All hosts that are known, as they are seen at the moment. */
    synchronized List<HostView> views() {
        long now = nanos.getAsLong();
        return tracked.values().stream().map(host -> host.view(now)).toList();
    }
}
