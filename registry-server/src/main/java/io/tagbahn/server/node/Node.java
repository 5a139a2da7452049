// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcServerStats;
import io.tagbahn.server.cluster.ClusterView;
import io.tagbahn.server.cluster.LocalReplica;
import io.tagbahn.server.edge.thrift.ThriftEdge;
import io.tagbahn.server.service.NodeInfo;
import io.tagbahn.server.service.Phase;
import io.tagbahn.server.service.RegistryService;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
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

    /** Where a node's time and chance come from. */
    record Sources(LongSupplier ticker, InstantSource clock, RandomGenerator random) {

        static Sources system() {
            return new Sources(System::nanoTime, InstantSource.system(), new SecureRandom());
        }
    }

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final AtomicReference<ClusterView> view = new AtomicReference<>();
    private final String id;
    private final RegistryService service;
    private final RpcServer server;
    private final HostPort advertised;
    private boolean closed;

    private Node(NodeConfig config, Sources sources) {
        try {
            long startedNanos = sources.ticker().getAsLong();
            DataDirectory directory = opened(DataDirectory.open(config.dataDirectory()));
            this.id = directory.nodeId(config.id(), sources.random());
            OperatorStatusFile statuses = opened(new OperatorStatusFile(directory.file(OPERATOR_STATUSES)));
            LocalReplica replica = opened(new LocalReplica(
                    config.limits().store(),
                    config.lease(),
                    config.limits().writesQueuedMax(),
                    sources.ticker(),
                    sources.clock(),
                    statuses.load(),
                    statuses));
            replica.start();
            this.service = new RegistryService(
                    replica,
                    () -> Objects.requireNonNull(view.get()),
                    new NodeInfo(id, version(), config.replicas(), startedNanos),
                    config.limits().service(),
                    sources.ticker());
            RpcLoops loops = opened(RpcLoops.start(
                    "rpc", config.rpc().loops(Runtime.getRuntime().availableProcessors()), sources.ticker()));
            this.server = RpcServer.start(
                    loops,
                    config.listen().socketAddress(),
                    ThriftEdge.serviceOf(service, sources.ticker()),
                    config.rpc().limits());
            opened.push(() -> server.close(config.drain()));
            this.advertised = Advertised.of(config, server.address().getPort());
            view.set(ClusterView.alone(id, advertised, config.locality(), config.replicas()));
            service.phase(Phase.READY);
            log.info("node {} is ready at {}, reached at {}", id, server.address(), advertised);
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
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
        return new Node(config, sources);
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
            service.phase(Phase.STOPPING);
            closeAll();
            log.info("node {} has stopped", id);
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
