// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.server.cluster.ClusterMember;
import io.tagbahn.server.cluster.Membership;
import io.tagbahn.server.cluster.Stage;
import io.tagbahn.server.security.PacketSeal;
import io.tagbahn.server.swim.NodeRecord;
import io.tagbahn.server.swim.SwimCounter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's membership in its cluster: a membership machine with the thread that owns it, its sockets and its memory.
 *
 * <p>What has changed is told on a thread of its own, so that whoever listens can't hold up the machine, which would
 * take that for a pause of the whole process.
 */
public final class Gossip implements Membership {

    private static final long RUN_MAX = 1L << 62;

    private static final Logger log = LoggerFactory.getLogger(Gossip.class);

    private final Roster roster;
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final ScheduledThreadPoolExecutor news;
    private final MachineDriver driver;
    private final String id;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> doubters = new CopyOnWriteArrayList<>();
    private final AtomicBoolean newsWaiting = new AtomicBoolean();
    private final AtomicInteger accepts = new AtomicInteger();
    private boolean stopped;

    private Gossip(
            GossipTerms terms,
            PacketSeal seal,
            ClusterMember self,
            MemberMemory memory,
            Streams streams,
            SeedLookup seeds,
            Runnable evicted,
            LongSupplier ticker,
            RandomGenerator random) {
        this.id = self.id();
        this.roster = new Roster(self);
        this.group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("gossip", true), NioIoHandler.newFactory());
        this.loop = group.next();
        this.news = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "gossip-news");
            thread.setDaemon(true);
            return thread;
        });
        NodeRecord record = new NodeRecord(
                self.id(),
                self.peerAddress(),
                self.address(),
                random.nextLong(RUN_MAX),
                self.weight(),
                self.locality(),
                Roster.metadata(self.stage()));
        try {
            this.driver = new MachineDriver(
                    terms, seal, record, memory, streams, seeds, new Heard(evicted), loop, news, ticker, random);
        } catch (RuntimeException e) {
            endThreads();
            throw e;
        }
    }

    /**
     * Opens the socket and begins to look for the others.
     *
     * @param seal for datagrams
     * @param self this node; its address for members is where {@code terms} has it listen
     * @param evicted run where another live node takes over the id of this one
     * @throws UncheckedIOException where the port can't be had
     */
    public static Gossip start(
            GossipTerms terms,
            PacketSeal seal,
            ClusterMember self,
            MemberMemory memory,
            Streams streams,
            SeedLookup seeds,
            Runnable evicted,
            LongSupplier ticker,
            RandomGenerator random) {
        Gossip gossip = new Gossip(terms, seal, self, memory, streams, seeds, evicted, ticker, random);
        gossip.driver.start();
        return gossip;
    }

    /** What the machine's driver tells. */
    private final class Heard implements MachineDriver.Listener {

        private final Runnable evicted;

        Heard(Runnable evicted) {
            this.evicted = evicted;
        }

        @Override
        public void changed(List<io.tagbahn.server.swim.MemberView> members) {
            roster.see(members);
            tell();
        }

        @Override
        public void takenForDead() {
            later(() -> doubters.forEach(Runnable::run));
        }

        @Override
        public void evicted(HostPort holder) {
            log.error("another node at {} has the id {} of this one, which takes part no longer", holder, id);
            later(evicted);
        }
    }

    private void tell() {
        if (newsWaiting.compareAndSet(false, true)) {
            later(() -> {
                newsWaiting.set(false);
                listeners.forEach(Runnable::run);
            });
        }
    }

    private void later(Runnable task) {
        try {
            news.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    log.error("hearing of a change of membership failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("stopped: nobody is told any more");
        }
    }

    /**
     * Waits until this node belongs to a cluster, if need be one of its own.
     *
     * @throws IdentityHeld where another live node has its id
     * @throws Unauthorized where the cluster has {@linkplain #refused refused} it
     * @throws NotReady where it takes longer
     */
    public void awaitJoined(Duration longest) {
        try {
            driver.joined().get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IdentityHeld held) {
                throw held;
            }
            throw e.getCause() instanceof Unauthorized refusal ? refusal : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new NotReady("found no cluster within " + longest, Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReady("interrupted while looking for the cluster", Optional.empty());
        }
    }

    /** A cluster that this node was to join doesn't let it in: it must not become the first of one of its own. */
    public void refused(Unauthorized why) {
        driver.joined().completeExceptionally(why);
    }

    /**
     * Takes a message that another member sent on a stream.
     *
     * @param from where members reach it
     * @return the answer, empty where there is none
     */
    public CompletionStage<byte[]> accept(HostPort from, byte[] message) {
        if (accepts.incrementAndGet() > GossipTerms.ACCEPTS_MAX) {
            accepts.decrementAndGet();
            return CompletableFuture.failedFuture(new Overloaded(
                    "too many messages of membership are waiting", Signal.TRY_ELSEWHERE, Optional.empty()));
        }
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        try {
            loop.execute(() -> driver.accept(from, message, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new NotReady("the node is stopping", Optional.empty()));
        }
        return answer.whenComplete((bytes, error) -> accepts.decrementAndGet());
    }

    /** What the machine has counted since its start. */
    public CompletionStage<Map<SwimCounter, Long>> counts() {
        CompletableFuture<Map<SwimCounter, Long>> counts = new CompletableFuture<>();
        loop.execute(() -> counts.complete(driver.counts()));
        return counts;
    }

    @Override
    public List<ClusterMember> members() {
        return roster.members();
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void onTakenForDead(Runnable listener) {
        doubters.add(listener);
    }

    @Override
    public void announce(Stage stage) {
        roster.announce(stage);
        tell();
        try {
            loop.execute(() -> driver.announce(Roster.metadata(stage)));
        } catch (RejectedExecutionException e) {
            log.debug("stopped: nobody hears of {}", stage);
        }
    }

    @Override
    public void lost(String member) {
        try {
            loop.execute(() -> driver.lost(member));
        } catch (RejectedExecutionException e) {
            log.debug("stopped: nobody looks after {}", member);
        }
    }

    /** Tells the others that this node leaves, waits for the news to spread, and {@linkplain #stop stops}. */
    @Override
    public void close() {
        try {
            loop.execute(driver::leave);
            driver.left().get(GossipTerms.LEAVE_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("stopped before");
        } catch (ExecutionException | TimeoutException e) {
            log.warn("the others may not have heard that this node has left: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stop();
    }

    /** Closes the socket and ends the threads; without {@link #close} the others take it for a crash. */
    public void stop() {
        synchronized (listeners) {
            if (stopped) {
                return;
            }
            stopped = true;
        }
        // Not left to the end of the loop: a socket that goes with its loop may stay bound until it is collected.
        driver.closePort();
        endThreads();
    }

    private void endThreads() {
        news.shutdownNow();
        try {
            group.shutdownGracefully(0, GossipTerms.STOP_MAX.toMillis() / 2, TimeUnit.MILLISECONDS)
                    .await(GossipTerms.STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
