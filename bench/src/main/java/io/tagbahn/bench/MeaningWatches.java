// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.Locality;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryQuery;
import io.tagbahn.thrift.WatchQuery;
import io.tagbahn.thrift.WatchTarget;
import io.tagbahn.wire.WireMeaning;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** Watches on nodes whose instances change at a rate: what lookups take meanwhile, and how many answers watches are told. */
final class MeaningWatches {

    /** Services of which each has one instance that changes again and again. */
    private static final int CHANGING = 500;

    private static final int CHANGES_UNDER_WAY = 256;
    private static final int CONNECTIONS = 50;

    private final RegistryClient client;
    private final RpcLoops loops;
    private final List<InetSocketAddress> addresses;
    private final List<String> tags;
    private final PrintStream out;

    MeaningWatches(
            RegistryClient client,
            RpcLoops loops,
            List<InetSocketAddress> addresses,
            List<String> tags,
            PrintStream out) {
        this.client = client;
        this.loops = loops;
        this.addresses = addresses;
        this.tags = tags;
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param perSecond changes
     * @param length of each part: without watches and with them
     * @param meant what half of the watches ask for
     * @param inTheEnd done while the watches still wait
     */
    void run(int watches, int perSecond, Duration length, List<MatchQuery> meant, MeaningBench.Work inTheEnd)
            throws Exception {
        Histogram quiet = lookups(perSecond, length);
        AtomicLong told = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        List<RpcClient> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(MeaningBench.client(loops, addresses.get(i % addresses.size())));
        }
        for (int i = 0; i < watches; i++) {
            WatchTarget target = i % 2 == 0
                    ? WatchTarget.serviceTags(List.of("changing" + i % CHANGING))
                    : WatchTarget.semantic(WireMeaning.toWire(meant.get(i % meant.size())));
            poll(clients.get(i % clients.size()), target, Optional.empty(), told, over);
        }
        TimeUnit.SECONDS.sleep(3);
        told.set(0);
        Histogram busy = lookups(perSecond, length);
        out.printf("lookups with %,d changes/s, without watches: %s%n", perSecond, MeaningBench.summary(quiet));
        out.printf("lookups with %,d changes/s, %,d watches:    %s%n", perSecond, watches, MeaningBench.summary(busy));
        out.printf("answers told to watches: %,.0f/s%n", told.get() / (double) length.toSeconds());
        inTheEnd.run();
        over.set(true);
        clients.forEach(RpcClient::close);
    }

    private static void poll(
            RpcClient node, WatchTarget target, Optional<String> token, AtomicLong told, AtomicBoolean over) {
        WatchQuery query = new WatchQuery(target).setWaitMillis(30_000);
        token.ifPresent(query::setToken);
        node.call("watch", new Discovery.watch_args(query), Discovery.watch_result::new, MeaningBench.DEADLINE)
                .whenComplete((result, error) -> {
                    if (over.get() || error != null || result.getSuccess() == null) {
                        return;
                    }
                    told.addAndGet(result.getSuccess().isChanged() ? 1 : 0);
                    poll(node, target, Optional.of(result.getSuccess().getToken()), told, over);
                });
    }

    /** Lookups one at a time while instances change, at a rate. */
    private Histogram lookups(int perSecond, Duration length) throws Exception {
        RpcClient node = MeaningBench.client(loops, addresses.get(0));
        Histogram nanos = new Histogram(MeaningBench.HOUR_NANOS, 3);
        AtomicBoolean over = new AtomicBoolean();
        Thread changer = new Thread(() -> change(perSecond, over), "changer");
        changer.start();
        long endNanos = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            MeaningBench.time(
                    nanos,
                    node,
                    "tagDiscover",
                    new Discovery.tagDiscover_args(new TagDiscoveryQuery(List.of("probe"))),
                    Discovery.tagDiscover_result::new);
            TimeUnit.MILLISECONDS.sleep(1);
        }
        over.set(true);
        changer.join();
        node.close();
        return nanos;
    }

    /** Instances change at a rate, as far as so many registrations under way allow; what was answered is counted. */
    private void change(int perSecond, AtomicBoolean over) {
        long begun = System.nanoTime();
        long made = 0;
        AtomicLong failed = new AtomicLong();
        Semaphore underWay = new Semaphore(CHANGES_UNDER_WAY);
        try {
            while (!over.get()) {
                long due = (System.nanoTime() - begun) * perSecond / TimeUnit.SECONDS.toNanos(1);
                for (; made < due && !over.get(); made++) {
                    underWay.acquire();
                    client.advertiseAsync(change(made)).whenComplete((grant, error) -> {
                        underWay.release();
                        failed.addAndGet(error == null ? 0 : 1);
                    });
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
            underWay.acquire(CHANGES_UNDER_WAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        out.printf("  %,d changes, %,.0f/s, %d of them failed%n", made, made / seconds, failed.get());
    }

    private RegisterRequest change(long number) {
        Instance instance = Instance.of(
                        new ServiceName("changing" + number % CHANGING),
                        HostPort.parse("10.1.0.1:" + (1 + number % 60_000)))
                .withId(new InstanceId("changing" + number % CHANGING))
                .withLocality(new Locality(Optional.empty(), Optional.of("z" + number), Optional.empty()));
        return new RegisterRequest(
                instance,
                List.of(Tag.parse(tags.get((int) (number % tags.size())))),
                Optional.of(Duration.ofSeconds(30)),
                RegisterMode.REPLACE,
                OptionalLong.empty());
    }
}
