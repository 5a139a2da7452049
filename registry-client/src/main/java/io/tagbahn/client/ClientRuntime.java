// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.RegistryException;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcClientConfig.WhileDisconnected;
import io.tagbahn.rpc.RpcLoops;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a {@link RegistryClient}, wired together, and the order in which they end. */
final class ClientRuntime implements AutoCloseable {

    private static final String NAME = "tagbahn-client";
    /** Queries that wait for inference; more are refused. */
    private static final int INFERENCES_WAITING_MAX = 1_000;

    /** Longer files of kept answers are neither read nor written. */
    private static final long KEPT_FILE_BYTES_MAX = 512L << 20;

    private static final long IDLE_SECONDS = 10;
    private static final Logger log = LoggerFactory.getLogger(ClientRuntime.class);

    private final RegistryClientConfig config;
    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final TimerThread timer;
    private final Callbacks callbacks;
    private final ThreadPoolExecutor inference;
    private final RpcLoops loops;
    private final CallTally tally = new CallTally();
    private final NodePicker nodes;
    private final CallGuard guard;
    private final LeaseKeeper keeper;
    private final KeptAnswers kept;
    private final Optional<KeptSaver> saver;
    private boolean closed;
    private volatile boolean ended;
    private final AtomicBoolean hooked = new AtomicBoolean();
    private volatile Runnable ending = this::close;
    private final Thread hook = new Thread(() -> ending.run(), NAME + "-shutdown");

    private ClientRuntime(
            RegistryClientConfig config, InstantSource clock, LongSupplier nanos, RandomGenerator random) {
        this.config = config;
        this.random = random;
        this.nanos = nanos;
        this.timer = new TimerThread(NAME + "-timer");
        this.callbacks = Callbacks.onThread(NAME + "-callbacks");
        this.inference = inferenceThread();
        this.loops = RpcLoops.start(NAME + "-io", 1, nanos);
        Map<HostPort, Integer> given = new LinkedHashMap<>();
        config.registries()
                .forEach(address -> given.put(address, config.nodes().here().distanceTo(Locality.UNKNOWN)));
        this.nodes = new NodePicker(
                given, this::node, config.call().avoidFailedFor(), config.call().avoidFailedMax(), nanos, random);
        this.guard = new CallGuard(nodes, config.call(), config.context(), timer, nanos, random, tally);
        this.keeper = new LeaseKeeper(guard, config, timer, callbacks, clock, nanos, random);
        this.kept = new KeptAnswers(loops(), config.kept(), tally);
        this.saver = config.kept()
                .file()
                .map(path ->
                        new KeptSaver(kept, new KeptFile(path, KEPT_FILE_BYTES_MAX, clock), timer, NAME + "-kept"));
        saver.ifPresent(KeptSaver::start);
        if (config.nodes().following()) {
            new NodeFollower(loops(), nodes, config, this::node, () -> tally.calls.sum() > 0).start();
        }
    }

    /** The composition root: the only place where the client meets the clock of the machine and chance. */
    static ClientRuntime start(RegistryClientConfig config) {
        return new ClientRuntime(config, InstantSource.system(), System::nanoTime, new Random());
    }

    private RegistryNode node(HostPort address) {
        return new ThriftNode(address, connection(address), connection(address));
    }

    /** Connects with the first call. */
    private RpcClient connection(HostPort address) {
        return RpcClient.create(loops, socketAddress(address), rpc(config.connection()), random);
    }

    private static InetSocketAddress socketAddress(HostPort address) {
        // A name stays a name: it is looked up with each new connection.
        return address.host()
                .address()
                .map(known -> new InetSocketAddress(known, address.port()))
                .orElseGet(
                        () -> InetSocketAddress.createUnresolved(address.host().toString(), address.port()));
    }

    private static RpcClientConfig rpc(ConnectionConfig connection) {
        return RpcClientConfig.defaults()
                .withConnectTimeout(connection.connectTimeout())
                .withReconnectDelayMin(min(connection.reconnectDelayMin(), connection.reconnectDelayMax()))
                .withReconnectDelayMax(connection.reconnectDelayMax())
                // The guard decides what becomes of a call: it may go to another node at once.
                .withWhileDisconnected(WhileDisconnected.FAIL)
                .withCallsPendingMax(connection.callsPendingMax())
                .withFrameBytesMax(connection.frameBytesMax())
                .withStringBytesMax(connection.frameBytesMax())
                .withCompact(connection.compact());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static ThreadPoolExecutor inferenceThread() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(INFERENCES_WAITING_MAX), task -> {
                    Thread thread = new Thread(task, NAME + "-inference");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    RegistryClientConfig config() {
        return config;
    }

    RandomGenerator random() {
        return random;
    }

    LongSupplier nanos() {
        return nanos;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    CallCounters counters() {
        return tally.counters(nodes);
    }

    CallGuard guard() {
        return guard;
    }

    KeptAnswers kept() {
        return kept;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    Timer timer() {
        return timer;
    }

    /** For calls that are made one after the other until the client is closed. */
    Loops loops() {
        return new Loops(guard, timer, nanos, random, this::isClosed);
    }

    boolean isClosed() {
        return ended;
    }

    /** One thread for inference; refuses what is more than may wait. */
    Executor inference() {
        return inference;
    }

    <T> T awaitRead(CompletableFuture<T> answer) {
        return Failures.await(answer, config.call().readTimeout());
    }

    <T> T awaitWrite(CompletableFuture<T> answer) {
        return Failures.await(answer, config.call().writeTimeout());
    }

    <T> T awaitQuery(CompletableFuture<T> answer) {
        return Failures.await(answer, config.inference().timeout());
    }

    void closeOnShutdown() {
        if (hooked.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    /** The same, with the service's own end in its place: behind that of its registrations, and a while later. */
    void closeOnShutdown(Duration drain, Runnable stopService) {
        ending = () -> leave(drain, stopService);
        closeOnShutdown();
    }

    private void leave(Duration drain, Runnable stopService) {
        try {
            deregisterAll();
            TimeUnit.NANOSECONDS.sleep(drain.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            try {
                stopService.run();
            } catch (RuntimeException e) {
                log.warn("the service could not be stopped", e);
            }
            close();
        }
    }

    private void deregisterAll() {
        Duration timeout = config.lease().closeTimeout();
        try {
            Failures.await(keeper.close(timeout), timeout);
        } catch (RegistryException e) {
            log.warn("registrations were not all deregistered, their leases will lapse: {}", e.getMessage());
        }
    }

    /** A second caller waits until the first is done: a JVM that ends must not end before. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        ended = true;
        unhook();
        deregisterAll();
        guard.close();
        nodes.closeAll();
        timer.close();
        saver.ifPresent(KeptSaver::close);
        inference.shutdown();
        callbacks.close();
        loops.close();
    }

    private void unhook() {
        if (hooked.get() && Thread.currentThread() != hook) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                log.debug("the JVM is ending: the hook finds the client closed", e);
            }
        }
    }
}
