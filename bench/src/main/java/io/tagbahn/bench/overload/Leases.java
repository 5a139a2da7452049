// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.bench.WireCall;
import io.tagbahn.model.CallContext;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.wire.WireLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Short leases that are renewed one by one, three times in each lease, while others overload the nodes. */
final class Leases implements AutoCloseable {

    private static final HostPort ADDRESS = HostPort.parse("10.251.0.1:8080");
    private static final int AT_ONCE = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final RpcClient client;
    private final List<LeaseRef> leases = new ArrayList<>();
    private final java.util.Set<String> lost = ConcurrentHashMap.newKeySet();
    private final LongAdder failures = new LongAdder();
    private final LongAdder beats = new LongAdder();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread keeper = new Thread(this::keep, "lease-keeper");
    private final Duration lease;

    private Leases(RpcClient client, Duration lease) {
        this.client = client;
        this.lease = lease;
    }

    /** Registers them, and begins to renew them. */
    static Leases start(RpcClient client, int count, Duration lease, long generation) {
        Leases started = new Leases(client, lease);
        for (int from = 0; from < count; from += AT_ONCE) {
            CompletableFuture.allOf(IntStream.range(from, Math.min(count, from + AT_ONCE))
                            .mapToObj(index -> started.register(index, generation))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
        started.keeper.setDaemon(true);
        started.keeper.start();
        return started;
    }

    private CompletableFuture<?> register(int index, long generation) {
        Instance instance = Instance.of(new ServiceName("kept-" + index), ADDRESS);
        leases.add(new LeaseRef(instance.id().value(), generation));
        RegisterRequest request = new RegisterRequest(
                instance, List.of(), Optional.of(lease), RegisterMode.REPLACE, OptionalLong.of(generation));
        return new WireCall<>(
                        "advertise",
                        new Discovery.advertise_args(WireLease.toWire(request, CallContext.NONE)),
                        Discovery.advertise_result::new)
                .on(client);
    }

    private void keep() {
        long pauseNanos = lease.toNanos() / 3 / leases.size();
        int next = 0;
        long dueNanos = System.nanoTime();
        try {
            while (!stopped.await(Math.max(0, dueNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                renew(leases.get(next++ % leases.size()));
                dueNanos += pauseNanos;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void renew(LeaseRef ref) {
        beats.increment();
        client.call(
                        "heartbeat",
                        new Discovery.heartbeat_args(new HeartbeatQuery(List.of(ref))),
                        Discovery.heartbeat_result::new,
                        DEADLINE)
                .whenComplete((result, failure) -> {
                    if (failure != null || !result.isSetSuccess()) {
                        failures.increment();
                    } else if (!result.getSuccess().getUnknown().isEmpty()) {
                        lost.add(ref.getInstanceId());
                    }
                });
    }

    /** Heartbeats so far. */
    long beats() {
        return beats.sum();
    }

    /** Those that had no good answer. */
    long failures() {
        return failures.sum();
    }

    /** Leases that the nodes have let go of. */
    int lost() {
        return lost.size();
    }

    @Override
    public void close() {
        stopped.countDown();
        client.close();
    }
}
