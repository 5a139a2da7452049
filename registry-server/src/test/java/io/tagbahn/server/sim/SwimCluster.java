// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.swim.NodeRecord;
import io.tagbahn.server.swim.SwimConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Nodes that find each other in a simulated network. */
public final class SwimCluster {

    private final long seed;
    private final SplittableRandom random;
    private final VirtualTime time = new VirtualTime();
    private final SimNetwork network;
    private final SwimConfig config;
    private final List<SimProcess> processes = new ArrayList<>();
    private final Map<String, SimDisk> disks = new HashMap<>();
    private final Map<HostPort, Map<Long, HostPort>> streams = new HashMap<>();
    private final List<SimProcess.Seen> seen = new ArrayList<>();

    public SwimCluster(long seed) {
        this(seed, SwimConfig.defaults("simulated"));
    }

    public SwimCluster(long seed, SwimConfig config) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.config = config;
        this.network = new SimNetwork(time, random.split());
    }

    /** For messages of failures: with it the run can be had again. */
    public String seedText() {
        return "seed " + seed;
    }

    public VirtualTime time() {
        return time;
    }

    public SimNetwork network() {
        return network;
    }

    public SplittableRandom random() {
        return random;
    }

    public static String id(int number) {
        return "n" + number;
    }

    public static HostPort address(int number) {
        return HostPort.parse("10.0." + number / 250 + "." + (number % 250 + 1) + ":21301");
    }

    /** Starts node {@code number} at its usual address, with its disk. */
    public SimProcess start(int number, int... seeds) {
        return start(id(number), address(number), disks.computeIfAbsent(id(number), id -> new SimDisk()), seeds);
    }

    public SimProcess start(String id, HostPort address, SimDisk disk, int... seeds) {
        return start(config, id, address, disk, seeds);
    }

    public SimProcess start(SwimConfig own, String id, HostPort address, SimDisk disk, int... seeds) {
        List<String> seedTexts = new ArrayList<>();
        for (int seedNumber : seeds) {
            seedTexts.add(address(seedNumber).toString());
        }
        NodeRecord node = new NodeRecord(
                id,
                address,
                new HostPort(address.host(), address.port() - 1),
                random.nextLong() >>> 1,
                100,
                Locality.UNKNOWN,
                Map.of());
        SimProcess process = new SimProcess(this, own, node, seedTexts, disk, random.nextLong());
        processes.add(process);
        process.start();
        return process;
    }

    /** Starts nodes 0 to {@code count - 1} at once, all with node 0 as their seed, and waits until all know all. */
    public static SwimCluster converged(long seed, int count) {
        SwimCluster cluster = new SwimCluster(seed);
        for (int i = 0; i < count; i++) {
            cluster.start(i, 0);
        }
        if (!cluster.time.runUntil(cluster::allAgree, Duration.ofSeconds(60))) {
            throw new AssertionError(cluster.seedText() + ": " + count + " members did not converge in 60 s");
        }
        // What was said while they met has died down.
        cluster.time.run(Duration.ofSeconds(5));
        cluster.seen.clear();
        return cluster;
    }

    public SimDisk disk(int number) {
        return disks.computeIfAbsent(id(number), id -> new SimDisk());
    }

    /** The latest run of a node. */
    public SimProcess node(int number) {
        for (int i = processes.size() - 1; i >= 0; i--) {
            if (processes.get(i).id().equals(id(number))) {
                return processes.get(i);
            }
        }
        throw new IllegalArgumentException("node " + number + " was never started");
    }

    public List<SimProcess> running() {
        return processes.stream().filter(SimProcess::running).toList();
    }

    /** Whether each running node holds exactly the running nodes for alive. */
    public boolean allAgree() {
        List<SimProcess> running = running();
        for (SimProcess observer : running) {
            if (observer.machine().liveMembers() != running.size()) {
                return false;
            }
        }
        for (SimProcess observer : running) {
            for (SimProcess subject : running) {
                if (observer.thinksOf(subject.id()) != MemberState.ALIVE) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether each other running node holds the member in this state. */
    public boolean allThink(String id, MemberState state) {
        return running().stream()
                .filter(observer -> !observer.id().equals(id))
                .allMatch(observer -> observer.thinksOf(id) == state);
    }

    /** All changes that were seen since the last {@link #forgetSeen}, in the order of time. */
    public List<SimProcess.Seen> seen() {
        return seen;
    }

    public List<SimProcess.Seen> deaths() {
        return seen.stream()
                .filter(change -> change.state() == MemberState.DEAD)
                .toList();
    }

    public void forgetSeen() {
        seen.clear();
    }

    void saw(SimProcess.Seen change) {
        seen.add(change);
    }

    void streamOpened(HostPort from, long stream, HostPort to) {
        streams.computeIfAbsent(from, address -> new HashMap<>()).put(stream, to);
    }

    HostPort streamEnd(HostPort from, long stream) {
        Map<Long, HostPort> own = streams.get(from);
        HostPort end = own == null ? null : own.get(stream);
        if (end == null) {
            throw new IllegalStateException("stream " + stream + " of " + from + " was never opened");
        }
        return end;
    }
}
