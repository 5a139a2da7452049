// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import io.tagbahn.rpc.RpcTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of a node that runs: read from its directory at the start, and again whenever a file there has changed.
 *
 * <p>Files that can't be used, as while they are being replaced, leave the keys that held before in place.
 */
public final class ClusterKeys implements AutoCloseable {

    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration EXPIRY_NOTICE = Duration.ofDays(30);

    private static final Logger log = LoggerFactory.getLogger(ClusterKeys.class);

    private final Path directory;
    private final String cluster;
    private final String node;
    private final InstantSource clock;
    private final ScheduledThreadPoolExecutor watch;
    private final LongAdder reloads = new LongAdder();
    private final LongAdder reloadsFailed = new LongAdder();
    private volatile NodeKeys keys;
    private String state;
    private Instant expiryToldAt = Instant.MIN;

    private ClusterKeys(Path directory, String cluster, String node, InstantSource clock) throws BadKeys {
        this.directory = directory;
        this.cluster = cluster;
        this.node = node;
        this.clock = clock;
        this.state = state();
        this.keys = NodeKeys.read(directory, cluster, node);
        tell("uses");
        this.watch = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "keys-watch");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Reads the directory, and goes on looking whether it changes.
     *
     * @param node id of the node that uses the keys
     * @throws BadKeys where a file is missing or damaged, or the certificate is not for this node
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with its executor
    public static ClusterKeys open(Path directory, String cluster, String node, InstantSource clock) throws BadKeys {
        ClusterKeys opened = new ClusterKeys(directory, cluster, node, clock);
        opened.watch.scheduleWithFixedDelay(opened::refresh, POLL.toMillis(), POLL.toMillis(), TimeUnit.MILLISECONDS);
        return opened;
    }

    /** Takes up what has changed; callable at any time. */
    synchronized void refresh() {
        String now = state();
        if (!now.equals(state)) {
            try {
                keys = NodeKeys.read(directory, cluster, node);
                reloads.increment();
                tell("now uses");
            } catch (BadKeys | RuntimeException e) {
                reloadsFailed.increment();
                log.warn("node {} keeps the keys that it has: {}", node, String.valueOf(e.getMessage()));
            }
            state = now;
        }
        noteExpiry();
    }

    private void noteExpiry() {
        Instant ends = keys.certificate().getNotAfter().toInstant();
        Instant now = clock.instant();
        if (now.isAfter(ends.minus(EXPIRY_NOTICE)) && now.isAfter(expiryToldAt.plus(Duration.ofDays(1)))) {
            expiryToldAt = now;
            log.warn(
                    "the certificate of node {} ends at {}: 'tagbahn keys rotate' makes new ones, else no connection"
                            + " between nodes can be opened from then on",
                    node,
                    ends);
        }
    }

    /** Enough to see a change: that of a moment ago may have the time of the one before, so sizes count as well. */
    private String state() {
        StringBuilder state = new StringBuilder();
        for (String name : NodeKeys.FILES) {
            try {
                BasicFileAttributes file = Files.readAttributes(directory.resolve(name), BasicFileAttributes.class);
                state.append(file.lastModifiedTime()).append(' ').append(file.size());
                state.append(' ').append(file.fileKey()).append('\n');
            } catch (IOException e) {
                state.append("none\n");
            }
        }
        return state.toString();
    }

    private void tell(String uses) {
        NodeKeys current = keys;
        log.info(
                "node {} {} the keys in {}: certificate {} until {}, {} for datagrams, {} in use",
                node,
                uses,
                directory,
                current.name(),
                current.certificate().getNotAfter().toInstant(),
                current.packets().size(),
                fingerprint(current.packets().get(0)));
    }

    /** Tells keys apart without giving anything of them away. */
    private static String fingerprint(SecretKey key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return HexFormat.of().formatHex(hash, 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java has to have", e);
        }
    }

    /** The keys for datagrams that hold at the moment, the one in use first. */
    List<SecretKey> packetKeys() {
        return keys.packets();
    }

    /** A seal for the datagrams of this process. */
    public PacketSeal packets(RandomGenerator random, LongSupplier ticker) {
        return new SealedPackets(this::packetKeys, cluster, random, ticker);
    }

    /** The side that takes connections of other nodes. */
    public RpcTls accepting() {
        return new PeerTls(() -> keys.context(), false, cluster, Optional.empty());
    }

    /** The side that connects to a node, where its id is known. */
    public RpcTls connecting(Optional<String> expected) {
        return new PeerTls(() -> keys.context(), true, cluster, expected);
    }

    /** How often changed files were taken up since the start. */
    public long reloads() {
        return reloads.sum();
    }

    /** How often changed files could not be used. */
    public long reloadsFailed() {
        return reloadsFailed.sum();
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}
