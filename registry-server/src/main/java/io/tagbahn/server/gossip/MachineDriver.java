// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.tagbahn.model.HostPort;
import io.tagbahn.server.security.PacketSeal;
import io.tagbahn.server.swim.Effect;
import io.tagbahn.server.swim.MemberView;
import io.tagbahn.server.swim.NodeRecord;
import io.tagbahn.server.swim.StreamFailure;
import io.tagbahn.server.swim.SwimCounter;
import io.tagbahn.server.swim.SwimMachine;
import java.net.ConnectException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What carries out the effects of a membership machine; all of it happens on one event loop. */
final class MachineDriver {

    /** What is told, on the loop. */
    interface Listener {
        void changed(List<MemberView> members);

        void takenForDead();

        void evicted(HostPort holder);
    }

    private static final byte[] NOTHING = {};

    private static final Logger log = LoggerFactory.getLogger(MachineDriver.class);

    private final SwimMachine machine;
    private final String id;
    private final HostPort address;
    private final MemberMemory memory;
    private final Streams streams;
    private final SeedLookup seeds;
    private final Listener listener;
    private final EventLoop loop;
    private final Executor besides;
    private final LongSupplier ticker;
    private final DatagramPort port;
    private final PacketSeal seal;
    private final HostAddresses addresses;
    private final Map<Long, HostPort> open = new HashMap<>();
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable HostPort holder;
    private @Nullable ScheduledFuture<?> tick;
    private long tickAtNanos;
    private boolean lookingUpSeeds;
    private boolean evicted;
    private boolean peersKept;
    private long keptIncarnation;

    /** Incarnations kept at once: the disk is asked once for so many. */
    private static final long INCARNATIONS_AHEAD = 16;

    MachineDriver(
            GossipTerms terms,
            PacketSeal seal,
            NodeRecord record,
            MemberMemory memory,
            Streams streams,
            SeedLookup seeds,
            Listener listener,
            EventLoop loop,
            Executor besides,
            LongSupplier ticker,
            RandomGenerator random) {
        this.seal = seal;
        this.id = record.id();
        this.address = record.gossip();
        this.memory = memory;
        this.streams = streams;
        this.seeds = seeds;
        this.listener = listener;
        this.loop = loop;
        this.besides = besides;
        this.ticker = ticker;
        this.addresses = new HostAddresses(besides, loop);
        this.machine = new SwimMachine(
                terms.swim(),
                record,
                memory.incarnation() + 1,
                terms.seeds(),
                memory.peers(),
                new SplittableRandom(random.nextLong()),
                ticker.getAsLong());
        this.port = DatagramPort.open(loop, terms.bind(), this::datagram);
    }

    void start() {
        loop.execute(() -> carryOut(machine.start(ticker.getAsLong()), null));
    }

    /** Completes when this node belongs to a cluster, or fails with {@link IdentityHeld}. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Completes when the others know that this node leaves. */
    CompletableFuture<Void> left() {
        return left;
    }

    /** Closes the socket. */
    void closePort() {
        port.close();
    }

    private void datagram(HostPort from, byte[] bytes) {
        seal.open(bytes).ifPresent(packet -> carryOut(machine.datagram(from, packet, ticker.getAsLong()), null));
    }

    void accept(HostPort from, byte[] message, CompletableFuture<byte[]> answer) {
        carryOut(machine.accept(from, message, ticker.getAsLong()), answer);
        answer.complete(NOTHING);
    }

    void announce(Map<String, String> metadata) {
        carryOut(machine.announce(metadata, ticker.getAsLong()), null);
        tell();
    }

    /** A connection to a member was lost: it is probed out of turn. */
    void lost(String member) {
        carryOut(machine.linkLost(member, ticker.getAsLong()), null);
    }

    void leave() {
        carryOut(machine.leaveCluster(ticker.getAsLong()), null);
        if (evicted) {
            left.complete(null); // it is no member, so there is nothing to tell
        }
    }

    Map<SwimCounter, Long> counts() {
        Map<SwimCounter, Long> counts = new EnumMap<>(SwimCounter.class);
        for (SwimCounter counter : SwimCounter.values()) {
            counts.put(counter, machine.count(counter));
        }
        return counts;
    }

    private void tick() {
        tick = null;
        carryOut(machine.tick(ticker.getAsLong()), null);
    }

    private void scheduleTick() {
        long atNanos = machine.nextTickNanos();
        ScheduledFuture<?> waiting = tick;
        if (waiting != null) {
            if (atNanos == tickAtNanos) {
                return;
            }
            waiting.cancel(false);
        }
        tickAtNanos = atNanos;
        long delayNanos = Math.max(0, atNanos - ticker.getAsLong());
        try {
            tick = loop.schedule(this::tick, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("stopped: no more ticks");
        }
    }

    private void carryOut(List<Effect> effects, @Nullable CompletableFuture<byte[]> answer) {
        boolean changed = false;
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                addresses.of(send.to(), ticker.getAsLong()).ifPresent(to -> port.send(to, seal.seal(send.datagram())));
            } else if (effect instanceof Effect.Reply reply && answer != null) {
                answer.complete(reply.message());
            } else if (effect instanceof Effect.Changed || effect instanceof Effect.Forgotten) {
                changed = true;
            } else {
                changed |= carryOut(effect);
            }
        }
        port.flush();
        if (changed) {
            tell();
        }
        scheduleTick();
    }

    private void tell() {
        List<MemberView> members = machine.members();
        if (!peersKept) {
            List<HostPort> others = members.stream()
                    .filter(member -> member.live() && !member.id().equals(id))
                    .map(member -> member.record().gossip())
                    .toList();
            if (!others.isEmpty()) {
                // The machine keeps them now and then; one that ends before that should find its way back as well.
                peersKept = true;
                besides.execute(() -> memory.keepPeers(others));
            }
        }
        listener.changed(members);
    }

    /** @return whether the list of members has changed */
    private boolean carryOut(Effect effect) {
        if (effect instanceof Effect.OpenStream stream) {
            open(stream);
        } else if (effect instanceof Effect.PushStream push) {
            HostPort to = open.remove(push.stream());
            if (to != null) {
                streams.exchange(to, push.message(), GossipTerms.STREAM_TIMEOUT)
                        .whenComplete((none, error) -> noteLost(to, error));
            }
        } else if (effect instanceof Effect.CloseStream close) {
            open.remove(close.stream());
        } else if (effect instanceof Effect.ResolveSeeds resolve) {
            findSeeds(resolve.seeds());
        } else if (effect instanceof Effect.PersistIncarnation persist) {
            keep(persist.incarnation());
        } else if (effect instanceof Effect.PersistPeers persist) {
            besides.execute(() -> memory.keepPeers(persist.peers()));
        } else if (effect instanceof Effect.Joined alone) {
            joined(alone.alone());
            return true;
        } else if (effect instanceof Effect.TakenForDead) {
            listener.takenForDead();
        } else if (effect instanceof Effect.LeaveSpread) {
            left.complete(null);
        } else if (effect instanceof Effect.IdentityTaken taken) {
            holder = taken.holder();
            if (taken.steppedDown()) {
                evicted = true;
                listener.evicted(taken.holder());
            }
        }
        return false;
    }

    private void joined(boolean alone) {
        HostPort other = holder;
        if (alone && other != null) {
            joined.completeExceptionally(new IdentityHeld(id, other));
        } else {
            log.info(
                    "member {} at {} {}",
                    id,
                    address,
                    alone ? "is the first of its cluster" : "belongs to a cluster of " + machine.liveMembers());
            tell();
            joined.complete(null);
        }
    }

    private void keep(long incarnation) {
        if (incarnation > keptIncarnation) {
            keptIncarnation = incarnation + INCARNATIONS_AHEAD;
            memory.keepIncarnation(keptIncarnation);
        }
    }

    private void open(Effect.OpenStream stream) {
        if (open.size() >= GossipTerms.STREAMS_MAX) {
            loop.execute(() -> failed(stream.stream(), StreamFailure.OTHER));
            return;
        }
        open.put(stream.stream(), stream.to());
        streams.exchange(stream.to(), stream.message(), GossipTerms.STREAM_TIMEOUT)
                .whenComplete((reply, error) -> {
                    try {
                        loop.execute(() -> ended(stream.stream(), reply, error));
                    } catch (RejectedExecutionException e) {
                        log.debug("stopped: an answer from {} comes too late", stream.to());
                    }
                });
    }

    private void ended(long stream, byte @Nullable [] reply, @Nullable Throwable error) {
        if (!open.containsKey(stream)) {
            return; // the machine has given it up
        }
        if (error != null || reply == null || reply.length == 0) {
            failed(stream, isRefusal(error) ? StreamFailure.REFUSED : StreamFailure.OTHER);
        } else {
            carryOut(machine.answered(stream, reply, ticker.getAsLong()), null);
            open.remove(stream);
        }
    }

    private void failed(long stream, StreamFailure why) {
        open.remove(stream);
        carryOut(machine.failed(stream, why, ticker.getAsLong()), null);
    }

    /** Of the type itself: a connection that is not made in time is one of its subtypes. */
    private static boolean isRefusal(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause.getClass() == ConnectException.class) {
                return true;
            }
        }
        return false;
    }

    private static void noteLost(HostPort to, @Nullable Throwable error) {
        if (error != null) {
            log.debug("could not tell {} what it lacked: {}", to, error.toString());
        }
    }

    private void findSeeds(List<String> names) {
        if (lookingUpSeeds) {
            return;
        }
        lookingUpSeeds = true;
        seeds.find(names).whenComplete((found, error) -> {
            try {
                loop.execute(() -> {
                    lookingUpSeeds = false;
                    carryOut(machine.seedsResolved(error == null ? found : List.of(), ticker.getAsLong()), null);
                });
            } catch (RejectedExecutionException e) {
                log.debug("stopped: seeds come too late");
            }
        });
    }
}
