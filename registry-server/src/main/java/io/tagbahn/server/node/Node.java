// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcServerStats;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.changes.Keeping;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.ClusterMember;
import io.tagbahn.server.cluster.LocalReplica;
import io.tagbahn.server.cluster.Meaning;
import io.tagbahn.server.cluster.Membership;
import io.tagbahn.server.cluster.Quotas;
import io.tagbahn.server.cluster.Stage;
import io.tagbahn.server.cluster.TimerThread;
import io.tagbahn.server.edge.peer.GossipEdge;
import io.tagbahn.server.edge.peer.PeerClient;
import io.tagbahn.server.edge.peer.PeerEdge;
import io.tagbahn.server.edge.thrift.FrontDoor;
import io.tagbahn.server.edge.thrift.MeaningEdge;
import io.tagbahn.server.edge.thrift.ThriftEdge;
import io.tagbahn.server.edge.thrift.WatchEdge;
import io.tagbahn.server.ontology.OntologyFolder;
import io.tagbahn.server.ring.RingMember;
import io.tagbahn.server.security.BadKeys;
import io.tagbahn.server.security.ClusterKeys;
import io.tagbahn.server.service.MeaningService;
import io.tagbahn.server.service.NodeInfo;
import io.tagbahn.server.service.OntologyService;
import io.tagbahn.server.service.Phase;
import io.tagbahn.server.service.RegistryService;
import io.tagbahn.server.service.ServiceLimits;
import io.tagbahn.server.service.WatchService;
import io.tagbahn.server.swim.SwimCounter;
import io.tagbahn.server.watch.WatchHub;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registry node that runs.
 *
 * <pre>{@code
 * try (Node node = Node.start(NodeConfig.parse(Map.of("node.listen", "127.0.0.1:0", "node.data-dir", folder)))) {
 *     ... node.address() ...
 * }
 * }</pre>
 */
public final class Node implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Node.class);
    private static final String OPERATOR_STATUSES = "operator-statuses";
    private static final String INCARNATION = "incarnation";
    private static final String PEERS = "peers";
    private static final String ONTOLOGIES = "ontologies";

    private static final String NO_PART =
            "it listens to more than the loopback, and messages between nodes would go unencrypted. Give it keys"
                    + " (cluster.keys-dir; 'tagbahn keys init' makes them), or set cluster.plain=true where nobody else"
                    + " reaches its port for nodes";

    private static final long COUNTERS_MILLIS = 500;

    /** Calls that may wait for one other node. */
    private static final int PEER_CALLS_MAX = 4_096;

    /** Where a node's time and chance come from. */
    record Sources(LongSupplier ticker, InstantSource clock, RandomGenerator random) {

        static Sources system() {
            return new Sources(System::nanoTime, InstantSource.system(), new SecureRandom());
        }
    }

    /** How a node finds its cluster. */
    @FunctionalInterface
    interface Joining {
        /** @param self this node, not yet ready to be read from */
        Membership join(ClusterMember self);
    }

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final DataDirectory directory;
    private final String id;
    private final Optional<ClusterKeys> keys;
    private final RegistryService service;
    private final FrontDoor door;
    private final RpcServer server;
    private final HostPort advertised;
    private volatile boolean noPart;
    private volatile @Nullable MemberPort memberPort;
    private volatile @Nullable Cluster cluster;
    private volatile @Nullable WatchHub watches;
    private volatile @Nullable Quotas quotas;
    private boolean closed;

    private Node(NodeConfig config, Sources sources, Optional<Joining> joining) {
        try {
            long startedNanos = sources.ticker().getAsLong();
            this.directory = opened(DataDirectory.open(config.dataDirectory()));
            this.id = directory.nodeId(config.id(), sources.random());
            this.keys = keys(config, sources);
            OperatorStatusFile statuses = opened(new OperatorStatusFile(directory.file(OPERATOR_STATUSES)));
            LocalReplica replica = opened(new LocalReplica(
                    config.limits().store(),
                    config.lease(),
                    config.limits().writesQueuedMax(),
                    sources.ticker(),
                    sources.clock(),
                    statuses.load(),
                    statuses));
            Meaning meaning = opened(new Meaning(
                    config.ontologies(),
                    new OntologyFolder(directory.file(ONTOLOGIES)),
                    Runtime.getRuntime().availableProcessors(),
                    config.limits().service().answerBytesMax(),
                    new Meaning.LogTerms(
                            sources.random().nextLong(),
                            Keeping.of(
                                    config.watches().changesMax(),
                                    config.watches().changeBytesMax(),
                                    config.limits().service().answerBytesMax()),
                            sources.ticker())));
            meaning.start(replica);
            replica.start();
            this.service = new RegistryService(
                    replica,
                    this::cluster,
                    new NodeInfo(id, version(), startedNanos, config.cluster().replicas()),
                    config.limits().service(),
                    sources.ticker());
            this.door = new FrontDoor(
                    config.admission(),
                    this::othersHaveRoom,
                    this::hasQuota,
                    sources.ticker(),
                    () -> forked(sources.random()));
            RpcLoops loops = opened(RpcLoops.start(
                    "rpc", config.rpc().loops(Runtime.getRuntime().availableProcessors()), sources.ticker()));
            this.server = RpcServer.start(
                    loops,
                    config.listen().socketAddress(),
                    publicMethods(config, sources),
                    publicLimits(config.rpc().limits()),
                    door);
            opened.push(() -> server.close(config.drain()));
            this.advertised = Advertised.of(config, server.address().getPort());
            joinCluster(config, sources, joining, replica, meaning, loops);
            service.phase(Phase.READY);
            log.info("node {} is ready at {}, reached at {}", id, server.address(), advertised);
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    private Optional<ClusterKeys> keys(NodeConfig config, Sources sources) {
        Optional<Path> folder = config.joining().keys();
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    opened(ClusterKeys.open(folder.get(), config.cluster().name(), id, sources.clock())));
        } catch (BadKeys e) {
            throw new InvalidConfig("cluster.keys-dir", folder.get().toString(), String.valueOf(e.getMessage()));
        }
    }

    private void joinCluster(
            NodeConfig config,
            Sources sources,
            Optional<Joining> joining,
            LocalReplica replica,
            Meaning meaning,
            RpcLoops loops) {
        Membership membership = membership(config, sources, joining, loops);
        TimerThread timer = opened(new TimerThread("cluster-timer"));
        RpcClientConfig links = RpcClientConfig.defaults()
                .withCompact(true)
                .withFrameBytesMax(config.rpc().limits().frameBytesMax())
                .withCallsPendingMax(PEER_CALLS_MAX)
                .withConnectTimeout(config.cluster().peerTimeout())
                .withWhileDisconnected(RpcClientConfig.WhileDisconnected.FAIL);
        Cluster joined = opened(new Cluster(
                id,
                config.cluster(),
                membership,
                replica,
                meaning,
                member -> new PeerClient(
                        member.id(),
                        RpcClient.create(
                                loops,
                                InetSocketAddress.createUnresolved(
                                        member.peerAddress().host().toString(),
                                        member.peerAddress().port()),
                                links,
                                keys.map(held -> held.connecting(Optional.of(member.id()))),
                                sources.random()),
                        config.cluster().name(),
                        id,
                        () -> cluster().view().hash(),
                        config.cluster().peerTimeout(),
                        () -> membership.lost(member.id()),
                        sources.ticker()),
                timer,
                sources.ticker(),
                sources.clock(),
                sources.random()));
        quotas = joined.limit(config.quotas());
        cluster = joined;
        joined.start();
        watches = opened(new WatchHub(joined, config.watches(), sources.ticker()));
    }

    /** Those of the settings, as far as this process may open so many files. */
    private static RpcLimits publicLimits(RpcLimits asked) {
        int most = Descriptors.ofThisProcess()
                .map(descriptors -> descriptors.connectionsMax(asked.connectionsMax()))
                .orElse(asked.connectionsMax());
        if (most < asked.connectionsMax()) {
            log.warn(
                    "clients may open {} connections instead of {}: the process may open too few files (ulimit -n)",
                    most,
                    asked.connectionsMax());
        }
        return asked.withConnectionsMax(most);
    }

    private RpcService publicMethods(NodeConfig config, Sources sources) {
        ServiceLimits limits = config.limits().service();
        return RpcService.builder()
                .all(ThriftEdge.serviceOf(service, door))
                .all(MeaningEdge.serviceOf(
                        new MeaningService(service, this::cluster),
                        new OntologyService(service, this::cluster, limits, sources.clock()),
                        door))
                .all(WatchEdge.serviceOf(
                        new WatchService(service, this::cluster, this::watches, limits, sources.ticker()), door))
                .all(GossipEdge.seed(
                        config.cluster().name(),
                        config.joining().keys().isPresent(),
                        () -> memberPort().address()))
                .build();
    }

    private Membership membership(NodeConfig config, Sources sources, Optional<Joining> joining, RpcLoops loops) {
        if (joining.isEmpty() && !MemberPort.isAllowed(config)) {
            log.warn("no other node can join this one: {}", NO_PART);
            noPart = true;
            return Membership.alone(self(config, advertised));
        }
        RpcService methods = RpcService.builder()
                .all(PeerEdge.serviceOf(() -> cluster().self(), config.cluster().name(), id, sources.ticker()))
                .all(GossipEdge.streams(() -> memberPort().gossip()::accept))
                .build();
        if (joining.isPresent()) {
            RpcServer server = opened(MemberPort.serve(
                    config, keys, loops, MemberPort.listen(config).socketAddress(), methods));
            return joining.get()
                    .join(self(
                            config,
                            new HostPort(advertised.host(), server.address().getPort())));
        }
        MemberPort opening = opened(MemberPort.open(
                config,
                keys,
                loops,
                methods,
                port -> self(config, new HostPort(advertised.host(), port)),
                new MemberFiles(directory.file(INCARNATION), directory.file(PEERS)),
                () -> service.phase(Phase.STOPPING),
                sources));
        memberPort = opening;
        opening.awaitJoined();
        return opening.gossip();
    }

    private ClusterMember self(NodeConfig config, HostPort peerAddress) {
        return new ClusterMember(
                id,
                advertised,
                peerAddress,
                config.locality(),
                RingMember.WEIGHT_USUAL,
                Stage.JOINING,
                MemberState.ALIVE,
                1);
    }

    private MemberPort memberPort() {
        MemberPort port = memberPort;
        if (port == null && noPart) {
            throw new Unauthorized("this node takes no part in a cluster: " + NO_PART);
        }
        if (port == null) {
            throw new NotReady("the node is starting", Optional.empty());
        }
        return port;
    }

    private WatchHub watches() {
        WatchHub hub = watches;
        if (hub == null) {
            throw new NotReady("the node is starting", Optional.empty());
        }
        return hub;
    }

    private static RandomGenerator forked(RandomGenerator random) {
        synchronized (random) {
            return new SplittableRandom(random.nextLong());
        }
    }

    private boolean hasQuota(String caller) {
        Quotas limits = quotas;
        return limits == null || limits.take(caller);
    }

    private boolean othersHaveRoom() {
        Cluster joined = cluster;
        return joined != null && !joined.isAlone();
    }

    Cluster cluster() {
        Cluster joined = cluster;
        if (joined == null) {
            throw new NotReady("the node is starting", Optional.empty());
        }
        return joined;
    }

    /**
     * Starts a node; when this returns, it answers.
     *
     * @throws InvalidConfig where the settings don't fit this machine or the data directory
     * @throws UncheckedIOException where the data directory or the port can't be had; the message says which
     */
    public static Node start(NodeConfig config) {
        return start(config, Sources.system());
    }

    static Node start(NodeConfig config, Sources sources) {
        return new Node(config, sources, Optional.empty());
    }

    /** Starts a node of a cluster; it is {@linkplain NodeStatus#ready() ready} once it holds what it owns. */
    static Node start(NodeConfig config, Sources sources, Joining joining) {
        return new Node(config, sources, Optional.of(joining));
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    public String id() {
        return id;
    }

    /** The address that the node listens on. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** The address under which others reach it. */
    public HostPort advertised() {
        return advertised;
    }

    /** Where other nodes reach it; absent where it takes no part in a cluster. */
    public Optional<HostPort> memberAddress() {
        return Optional.ofNullable(memberPort).map(MemberPort::address);
    }

    /** What its membership has counted since its start; nothing where it takes no part in a cluster. */
    public CompletableFuture<Map<SwimCounter, Long>> memberCounts() {
        MemberPort port = memberPort;
        return port == null
                ? CompletableFuture.completedFuture(Map.of())
                : port.gossip().counts().toCompletableFuture();
    }

    /**
     * All that it has counted since its start, by name: {@code gossip.} of membership, {@code packets.} of datagrams,
     * {@code peer.} of the port for other nodes, {@code rpc.} of the public port, {@code admission.} of what it
     * took on there, {@code keys.} of its keys.
     */
    public CompletableFuture<Map<String, Long>> counters() {
        return memberCounts().thenApply(gossip -> counters(gossip).all());
    }

    private NodeCounters counters(Map<SwimCounter, Long> gossip) {
        NodeCounters counters =
                new NodeCounters().gossip(gossip).port("rpc", server.stats()).admission(door);
        MemberPort port = memberPort;
        if (port != null) {
            counters.port("peer", port.stats()).packets(port.seal());
        }
        keys.ifPresent(counters::keys);
        return counters;
    }

    /** What it has counted, for those that look into the matter later. */
    private void logCounters() {
        try {
            log.info("node {} counted {}", id, counters(memberCounts().get(COUNTERS_MILLIS, TimeUnit.MILLISECONDS)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("no counts: {}", e.toString());
        }
    }

    public NodeStatus status() {
        return service.status();
    }

    public RpcServerStats rpcStats() {
        return server.stats();
    }

    private static String version() {
        return Objects.requireNonNullElse(Node.class.getPackage().getImplementationVersion(), "development");
    }

    /**
     * Stops the node: it takes nothing new, finishes what is under way, keeps what has to survive, and lets go of its
     * data directory. May be called again.
     */
    @Override
    public void close() {
        synchronized (opened) {
            if (closed) {
                return;
            }
            closed = true;
            log.info("node {} stops", id);
            logCounters();
            cluster().leave();
            service.phase(Phase.STOPPING);
            closeAll();
            log.info("node {} has stopped", id);
        }
    }

    /** Stops as a process that is killed does: without a word to the other nodes. */
    public void kill() {
        synchronized (opened) {
            if (!closed) {
                closed = true;
                service.phase(Phase.STOPPING);
                closeAll();
            }
        }
    }

    /** In the reverse order of opening, each whatever became of the one before. */
    private void closeAll() {
        while (!opened.isEmpty()) {
            AutoCloseable part = opened.pop();
            try {
                part.close();
            } catch (Exception e) {
                log.error("closing {} failed", part.getClass().getSimpleName(), e);
            }
        }
    }
}
