// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcServerStats;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.cluster.ClusterMember;
import io.tagbahn.server.edge.peer.GossipClient;
import io.tagbahn.server.gossip.Gossip;
import io.tagbahn.server.gossip.GossipTerms;
import io.tagbahn.server.gossip.IdentityHeld;
import io.tagbahn.server.gossip.MemberMemory;
import io.tagbahn.server.security.ClusterKeys;
import io.tagbahn.server.security.PacketSeal;
import io.tagbahn.server.security.PlainPackets;
import io.tagbahn.server.swim.JoinConfig;
import io.tagbahn.server.swim.SwimConfig;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** A node's port for other nodes, for connections and datagrams alike, and its membership behind it. */
final class MemberPort implements AutoCloseable {

    /** A free port for connections may be taken for datagrams: then another one is tried. */
    private static final int ATTEMPTS_MAX = 16;

    /** Longest handshake and first message: members are quick, and strangers take up connections. */
    private static final Duration FIRST_FRAME_MAX = Duration.ofSeconds(5);

    private static final int PORT_MAX = 65_535;

    /** Longer than a member waits for others before it goes on alone. */
    private static final Duration JOIN_MAX = JoinConfig.DEFAULTS.aloneAfter().plusSeconds(15);

    private final NodeConfig config;
    private final ClusterMember self;
    private final PacketSeal seal;
    private final RpcServer server;
    private final Gossip gossip;

    private MemberPort(NodeConfig config, ClusterMember self, RpcServer server, Gossip gossip, PacketSeal seal) {
        this.config = config;
        this.seal = seal;
        this.self = self;
        this.server = server;
        this.gossip = gossip;
    }

    static ListenAddress listen(NodeConfig config) {
        return config.joining().listen().orElseGet(() -> {
            int port = config.listen().port();
            return new ListenAddress(config.listen().host(), port == 0 || port == PORT_MAX ? 0 : port + 1);
        });
    }

    /**
     * Whether the port may be opened: what goes through it is encrypted, or need not be.
     *
     * @throws InvalidConfig where it may not, and the node is to join others
     */
    static boolean isAllowed(NodeConfig config) {
        InetAddress address = listen(config).socketAddress().getAddress();
        if (config.joining().keys().isPresent()
                || config.joining().plain()
                || (address != null && address.isLoopbackAddress())) {
            return true;
        }
        if (!config.joining().seeds().isEmpty()) {
            throw new InvalidConfig(
                    "cluster.plain",
                    "false",
                    "a node that listens to more than the loopback joins others only with keys (cluster.keys-dir), or"
                            + " where messages between nodes may go unencrypted (cluster.plain=true)");
        }
        return false;
    }

    /** Serves other nodes at an address, encrypted where there are keys. */
    static RpcServer serve(
            NodeConfig config,
            Optional<ClusterKeys> keys,
            RpcLoops loops,
            InetSocketAddress listen,
            RpcService methods) {
        RpcLimits usual = config.rpc().limits();
        RpcLimits limits = usual.withConnectionsMax(config.joining().connectionsMax())
                .withFirstFrameTimeout(
                        usual.firstFrameTimeout().compareTo(FIRST_FRAME_MAX) < 0
                                ? usual.firstFrameTimeout()
                                : FIRST_FRAME_MAX);
        return keys.isPresent()
                ? RpcServer.start(loops, listen, methods, limits, keys.get().accepting())
                : RpcServer.start(loops, listen, methods, limits);
    }

    /**
     * Opens the port and begins to look for the others.
     *
     * @param keys absent where nodes talk plainly
     * @param methods for other nodes
     * @param selfAt this node, when it takes this port
     * @param evicted run where another live node takes over this one's id
     * @throws UncheckedIOException where the port can't be had
     */
    static MemberPort open(
            NodeConfig config,
            Optional<ClusterKeys> keys,
            RpcLoops loops,
            RpcService methods,
            IntFunction<ClusterMember> selfAt,
            MemberMemory memory,
            Runnable evicted,
            Node.Sources sources) {
        InetSocketAddress listen = listen(config).socketAddress();
        for (int attempt = 1; ; attempt++) {
            RpcServer server = serve(config, keys, loops, listen, methods);
            int port = server.address().getPort();
            ClusterMember self = selfAt.apply(port);
            String cluster = config.cluster().name();
            PacketSeal seal = keys.<PacketSeal>map(held -> held.packets(sources.random(), sources.ticker()))
                    .orElseGet(() -> new PlainPackets(sources.ticker()));
            GossipClient others = new GossipClient(
                    loops,
                    cluster,
                    self.peerAddress(),
                    keys.map(held -> held.connecting(Optional.empty())),
                    sources.random());
            try {
                SwimConfig swim = SwimConfig.defaults(cluster);
                Gossip gossip = Gossip.start(
                        new GossipTerms(
                                swim.withPacketBytesMax(swim.gossip().packetBytesMax() - seal.overheadBytes())
                                        .withForget(config.joining().forget()),
                                new InetSocketAddress(listen.getAddress(), port),
                                config.joining().seeds().stream()
                                        .map(HostPort::toString)
                                        .toList()),
                        seal,
                        self,
                        memory,
                        others,
                        others,
                        evicted,
                        sources.ticker(),
                        sources.random());
                others.onRefusal(gossip::refused);
                return new MemberPort(config, self, server, gossip, seal);
            } catch (RuntimeException e) {
                server.close();
                if (listen.getPort() != 0 || attempt == ATTEMPTS_MAX || !(e instanceof UncheckedIOException)) {
                    throw e;
                }
            }
        }
    }

    /** Where members reach this node. */
    HostPort address() {
        return self.peerAddress();
    }

    Gossip gossip() {
        return gossip;
    }

    /**
     * Waits until the node belongs to a cluster.
     *
     * @throws InvalidConfig where another live node has its id, or a seed refuses this one
     */
    void awaitJoined() {
        try {
            gossip.awaitJoined(JOIN_MAX);
        } catch (IdentityHeld e) {
            throw new InvalidConfig("node.id", self.id(), String.valueOf(e.getMessage()));
        } catch (Unauthorized e) {
            throw new InvalidConfig(
                    "cluster.seeds",
                    config.joining().seeds().stream().map(HostPort::toString).collect(Collectors.joining(",")),
                    String.valueOf(e.getMessage()));
        }
    }

    RpcServerStats stats() {
        return server.stats();
    }

    PacketSeal seal() {
        return seal;
    }

    /** Stops without a word; {@link Gossip#close} leaves in order before. */
    @Override
    public void close() {
        gossip.stop();
        server.close();
    }
}
