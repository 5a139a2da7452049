// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.swim.Effect;
import io.tagbahn.server.swim.NodeRecord;
import io.tagbahn.server.swim.StreamFailure;
import io.tagbahn.server.swim.SwimConfig;
import io.tagbahn.server.swim.SwimMachine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One run of a node: a membership machine, its clock, its sockets, its disk. */
public final class SimProcess {

    /** What a socket holds for a process that doesn't read. */
    private static final int BACKLOG_MAX = 400;

    /** A change of one member as one process saw it. */
    public record Seen(long atNanos, String observer, String subject, MemberState state, boolean restarted) {}

    private final SwimCluster cluster;
    private final VirtualTime time;
    private final SimNetwork network;
    private final NodeRecord node;
    private final SimDisk disk;
    private final SwimMachine machine;
    private final Deque<Runnable> backlog = new ArrayDeque<>();
    private final List<Effect> notable = new ArrayList<>();
    private long clockOffsetNanos;
    private long tickAtNanos = Long.MAX_VALUE;
    private boolean running = true;
    private boolean paused;
    private Consumer<Effect> watcher = effect -> {};

    SimProcess(SwimCluster cluster, SwimConfig config, NodeRecord node, List<String> seeds, SimDisk disk, long seed) {
        this.cluster = cluster;
        this.time = cluster.time();
        this.network = cluster.network();
        this.node = node;
        this.disk = disk;
        SplittableRandom random = new SplittableRandom(seed);
        // Clocks begin anywhere, also where they soon overflow.
        this.clockOffsetNanos = switch (random.nextInt(4)) {
            case 0 -> Long.MAX_VALUE - time.nowNanos() - random.nextLong(20_000_000_000L);
            case 1 -> -random.nextLong(1L << 60);
            default -> random.nextLong(1L << 60);
        };
        this.machine = new SwimMachine(config, node, disk.incarnation + 1, seeds, disk.peers, random, clock());
        network.listen(node.gossip(), this);
    }

    /** Has something told of each effect that tells of members or of this node itself. */
    public void watch(Consumer<Effect> newWatcher) {
        watcher = newWatcher;
    }

    void start() {
        carryOut(machine.start(clock()));
    }

    private long clock() {
        return time.nowNanos() + clockOffsetNanos;
    }

    public SwimMachine machine() {
        return machine;
    }

    public NodeRecord node() {
        return node;
    }

    public String id() {
        return node.id();
    }

    public boolean running() {
        return running;
    }

    /** Effects that tell of this node itself: joined, left, identity taken. */
    public List<Effect> notable() {
        return notable;
    }

    /** What this process thinks of a member. */
    public MemberState thinksOf(String id) {
        return machine.member(id).map(view -> view.state()).orElse(MemberState.LEFT);
    }

    /** Ends without a word, as by kill -9. */
    public void crash() {
        running = false;
        network.close(node.gossip(), this);
        backlog.clear();
    }

    /** Ends together with its host: nobody answers for it, not even to refuse. */
    public void vanish() {
        network.silence(node.gossip());
        crash();
    }

    /** Leaves in order; the process ends when the news is spread. */
    public void leave() {
        run(() -> carryOut(machine.leaveCluster(clock())));
    }

    /** Stops for a while, as by SIGSTOP; what arrives meanwhile waits, as far as the sockets hold it. */
    public void pause(Duration length) {
        if (running && !paused) {
            paused = true;
            time.after(length, this::resume);
        }
    }

    private void resume() {
        paused = false;
        while (running && !paused && !backlog.isEmpty()) {
            backlog.poll().run();
        }
        tick();
    }

    /** Moves the monotonic clock ahead, as a host does that slept. */
    public void stepClock(Duration ahead) {
        clockOffsetNanos += ahead.toNanos();
        run(this::tick);
    }

    void datagram(HostPort from, byte[] bytes) {
        run(() -> carryOut(machine.datagram(from, bytes, clock())));
    }

    public void announce(Map<String, String> metadata) {
        run(() -> carryOut(machine.announce(metadata, clock())));
    }

    /** Does it now, or when the process goes on; not at all where it has ended or what waits is too much. */
    public void run(Runnable work) {
        if (!running) {
            return;
        }
        if (!paused) {
            work.run();
        } else if (backlog.size() < BACKLOG_MAX) {
            backlog.add(work);
        }
    }

    private void tick() {
        if (running && !paused && machine.nextTickNanos() - clock() <= 0) {
            carryOut(machine.tick(clock()));
        } else {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        if (!running || paused) {
            return;
        }
        long at = time.nowNanos() + Math.max(0, machine.nextTickNanos() - clock());
        if (at < tickAtNanos || tickAtNanos < time.nowNanos()) {
            tickAtNanos = at;
            time.at(at, () -> {
                if (tickAtNanos == at) {
                    tickAtNanos = Long.MAX_VALUE;
                    tick();
                }
            });
        }
    }

    private void carryOut(List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                network.send(node.gossip(), send.to(), send.datagram());
            } else if (effect instanceof Effect.OpenStream open) {
                open(open);
            } else if (effect instanceof Effect.PushStream push) {
                HostPort to = cluster.streamEnd(node.gossip(), push.stream());
                network.stream(
                        node.gossip(),
                        to,
                        peer -> peer.run(
                                () -> peer.carryOut(peer.machine.accept(node.gossip(), push.message(), peer.clock()))),
                        () -> {});
            } else if (effect instanceof Effect.ResolveSeeds resolve) {
                List<HostPort> addresses =
                        resolve.seeds().stream().map(HostPort::parse).toList();
                time.after(Duration.ofMillis(1), () -> run(() -> carryOut(machine.seedsResolved(addresses, clock()))));
            } else if (effect instanceof Effect.PersistIncarnation persist) {
                disk.incarnation = persist.incarnation();
            } else if (effect instanceof Effect.PersistPeers persist) {
                disk.peers = persist.peers();
            } else if (effect instanceof Effect.Changed changed) {
                cluster.saw(new Seen(
                        time.nowNanos(),
                        id(),
                        changed.after().id(),
                        changed.after().state(),
                        changed.restarted()));
                watcher.accept(effect);
            } else if (effect instanceof Effect.LeaveSpread) {
                notable.add(effect);
                watcher.accept(effect);
                crash();
            } else if (effect instanceof Effect.TakenForDead) {
                watcher.accept(effect);
            } else if (effect instanceof Effect.Joined || effect instanceof Effect.IdentityTaken) {
                notable.add(effect);
                watcher.accept(effect);
            }
        }
        scheduleTick();
    }

    private void open(Effect.OpenStream open) {
        HostPort me = node.gossip();
        cluster.streamOpened(me, open.stream(), open.to());
        network.stream(
                me,
                open.to(),
                peer -> peer.run(() -> peer.answer(this, open)),
                () -> run(() -> carryOut(machine.failed(open.stream(), StreamFailure.REFUSED, clock()))));
    }

    private void answer(SimProcess requester, Effect.OpenStream open) {
        List<Effect> effects = machine.accept(requester.node.gossip(), open.message(), clock());
        boolean replied = false;
        for (Effect effect : effects) {
            if (effect instanceof Effect.Reply reply) {
                replied = true;
                network.stream(
                        node.gossip(),
                        requester.node.gossip(),
                        peer -> peer.run(() -> {
                            if (peer == requester) {
                                peer.carryOut(peer.machine.answered(open.stream(), reply.message(), peer.clock()));
                            }
                        }),
                        () -> {});
            }
        }
        carryOut(effects);
        if (!replied) {
            requester.run(() -> requester.carryOut(
                    requester.machine.failed(open.stream(), StreamFailure.OTHER, requester.clock())));
        }
    }
}
