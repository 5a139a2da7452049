// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.thesis;

import io.tagbahn.bench.Insistence;
import io.tagbahn.bench.WireCall;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.thrift.Discovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;

/** The experiments on one cluster, through one connection to one of its nodes; each beside its echo. */
final class ThesisRun {

    private static final int BATCH = 30;
    private static final int LOOKED_UP = 100;

    /** Characters that a service name can't have; see the wire API. */
    private static final String NOT_IN_NAMES = "[<>\"{}|\\\\^`]";

    private static final int NAME_CHARS_MAX = 120;
    private static final HostPort ADDRESS = HostPort.parse("10.0.0.1:8080");
    private static final ServiceName SERVICE = new ServiceName("bench");

    /** What one call has left to do after it was answered is not to be in the time of the next. */
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    /**
     * Times of an experiment.
     *
     * @param repeated calls that had to be made again
     */
    record Sample(long nanos, long floorNanos, int repeated) {}

    /** Calls that are timed as a whole: one after the other, those of a step in parallel. */
    private record Steps(List<List<WireCall<?, ?>>> inTurn) {

        static Steps one(WireCall<?, ?> call) {
            return new Steps(List.of(List.of(call)));
        }

        static Steps parallel(List<WireCall<?, ?>> calls) {
            return new Steps(List.of(calls));
        }
    }

    private final List<Tag> tags;
    private final List<ServiceName> names;
    private final RpcClient node;
    private final RpcClient echo;
    private final LongSupplier ticker;
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicLong generation = new AtomicLong(1);

    ThesisRun(List<Tag> tags, RpcClient node, RpcClient echo, LongSupplier ticker) {
        this.tags = tags;
        this.names = namesOf(tags);
        this.node = node;
        this.echo = echo;
        this.ticker = ticker;
    }

    /** Names of about as many bytes as the tags: each the text of a tag without what names can't have, numbered. */
    static List<ServiceName> namesOf(List<Tag> tags) {
        List<ServiceName> names = new ArrayList<>();
        for (int i = 0; i < tags.size(); i++) {
            String text = tags.get(i).spelling().replaceAll(NOT_IN_NAMES, "");
            int end = text.offsetByCodePoints(0, Math.min(NAME_CHARS_MAX, text.codePointCount(0, text.length())));
            names.add(new ServiceName(i + " " + text.substring(0, end).strip()));
        }
        return names;
    }

    /** Every experiment once; what it registers is gone again afterwards. */
    Map<Experiment, Sample> round() {
        Map<Experiment, Sample> samples = new EnumMap<>(Experiment.class);
        singles(samples);
        deregister(names);
        samples.put(Experiment.REGISTER_BATCHES, timed(batches()));
        deregister(List.of(SERVICE));
        samples.put(
                Experiment.REGISTER_AT_ONCE,
                timed(Steps.one(register(tags, RegisterMode.REPLACE, generation.incrementAndGet()))));
        listAll(samples);
        deregister(List.of(SERVICE));
        return samples;
    }

    private void singles(Map<Experiment, Sample> samples) {
        long newer = generation.incrementAndGet();
        List<WireCall<?, ?>> registrations = new ArrayList<>();
        names.forEach(
                name -> registrations.add(WireCall.register(name, ADDRESS, List.of(), RegisterMode.REPLACE, newer)));
        samples.put(Experiment.REGISTER_SINGLE, timed(Steps.parallel(registrations)));
        List<ServiceName> some = names.subList(0, Math.min(LOOKED_UP, names.size()));
        List<WireCall<?, ?>> lookups = new ArrayList<>();
        some.forEach(name -> lookups.add(WireCall.discover(name)));
        samples.put(Experiment.DISCOVER_SINGLE, timed(Steps.parallel(lookups)));
        WireCall<?, ?> lookup =
                WireCall.tagDiscover(some.stream().map(ServiceName::value).toList());
        samples.put(Experiment.DISCOVER_AT_ONCE, timed(Steps.one(lookup)));
        Discovery.tagDiscover_result found =
                (Discovery.tagDiscover_result) lookup.on(node).join();
        if (found.getSuccess().getPeersSize() != some.size()) {
            throw new IllegalStateException("found " + found.getSuccess().getPeersSize() + " names of " + some.size());
        }
    }

    private void listAll(Map<Experiment, Sample> samples) {
        WireCall<?, ?> list = WireCall.serviceNames();
        samples.put(Experiment.LIST, timed(Steps.one(list)));
        Discovery.serviceNames_result listed =
                (Discovery.serviceNames_result) list.on(node).join();
        int entries = listed.getSuccess().getServiceNamesSize();
        // Owners that were too busy to answer learn a moment later what is gone.
        if (entries < tags.size() + 1) {
            throw new IllegalStateException("listed " + entries + " entries of " + (tags.size() + 1));
        }
    }

    private Steps batches() {
        long newer = generation.incrementAndGet();
        List<WireCall<?, ?>> later = new ArrayList<>();
        for (int from = BATCH; from < tags.size(); from += BATCH) {
            later.add(register(tags.subList(from, Math.min(from + BATCH, tags.size())), RegisterMode.ADD, newer));
        }
        WireCall<?, ?> first = register(tags.subList(0, Math.min(BATCH, tags.size())), RegisterMode.REPLACE, newer);
        return new Steps(List.of(List.of(first), later));
    }

    private static WireCall<?, ?> register(List<Tag> some, RegisterMode mode, long generation) {
        return WireCall.register(SERVICE, ADDRESS, some, mode, generation);
    }

    private void deregister(List<ServiceName> registered) {
        List<WireCall<?, ?>> calls = new ArrayList<>();
        registered.forEach(name -> calls.add(WireCall.deregister(name, ADDRESS)));
        run(Steps.parallel(calls), node);
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    private Sample timed(Steps steps) {
        int repeatedBefore = repeated.get();
        long startNanos = ticker.getAsLong();
        TBase<?, ?> answer = run(steps, node);
        long nanos = ticker.getAsLong() - startNanos;
        int repeatedNow = repeated.get() - repeatedBefore;
        LockSupport.parkNanos(PAUSE_NANOS);
        steps.inTurn().get(0).get(0).priming(answer).on(echo).join();
        startNanos = ticker.getAsLong();
        run(steps, echo);
        return new Sample(nanos, ticker.getAsLong() - startNanos, repeatedNow);
    }

    /** Makes the calls and returns the answer to the first. */
    private TBase<?, ?> run(Steps steps, RpcClient client) {
        List<CompletableFuture<? extends TBase<?, ?>>> all = new ArrayList<>();
        for (List<WireCall<?, ?>> step : steps.inTurn()) {
            List<CompletableFuture<? extends TBase<?, ?>>> parallel = new ArrayList<>();
            step.forEach(call -> parallel.add(insisting(call, client)));
            CompletableFuture.allOf(parallel.toArray(CompletableFuture[]::new)).join();
            all.addAll(parallel);
        }
        return all.get(0).join();
    }

    private <R extends TBase<R, F>, F extends TFieldIdEnum> CompletableFuture<R> insisting(
            WireCall<R, F> call, RpcClient client) {
        return Insistence.on(() -> call.on(client), () -> {
            repeated.incrementAndGet();
            // Part of it may have been carried out: only a newer registration takes its place.
            return call.renewed(generation.incrementAndGet()).on(client);
        });
    }
}
