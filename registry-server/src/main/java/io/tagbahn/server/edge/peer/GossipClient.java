// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.peer;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcClientConfig;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcTls;
import io.tagbahn.server.gossip.SeedLookup;
import io.tagbahn.server.gossip.Streams;
import io.tagbahn.thrift.peer.Gossip;
import io.tagbahn.wire.WireErrors;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to other nodes for membership: a connection for each message, so that one that can't be made tells whether a
 * process listens there.
 */
public final class GossipClient implements Streams, SeedLookup {

    private static final Duration SEED_TIMEOUT = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(GossipClient.class);

    private final RpcLoops loops;
    private final String cluster;
    private final HostPort self;
    private final RandomGenerator random;
    private final Optional<RpcTls> tls;
    private volatile Consumer<Unauthorized> refused = why -> {};
    private final Set<String> silent = ConcurrentHashMap.newKeySet();

    /**
     * @param cluster its name
     * @param self where members reach this node
     * @param tls of connections to other members; absent where they are plain
     */
    public GossipClient(RpcLoops loops, String cluster, HostPort self, Optional<RpcTls> tls, RandomGenerator random) {
        this.loops = loops;
        this.cluster = cluster;
        this.self = self;
        this.tls = tls;
        this.random = random;
    }

    /** Has somebody told where a seed says that this node doesn't belong to its cluster, as often as it says so. */
    public void onRefusal(Consumer<Unauthorized> listener) {
        refused = listener;
    }

    @Override
    public CompletionStage<byte[]> exchange(HostPort to, byte[] message, Duration timeout) {
        return call(
                to,
                tls,
                "exchange",
                new Gossip.exchange_args().setSender(self.toString()).setMessage(message),
                Gossip.exchange_result::new,
                Gossip.exchange_result::getSuccess,
                timeout);
    }

    @Override
    public CompletionStage<List<HostPort>> find(List<String> seeds) {
        List<CompletableFuture<Optional<HostPort>>> asked = new ArrayList<>();
        for (String seed : seeds) {
            asked.add(call(
                            HostPort.parse(seed),
                            Optional.empty(), // asked at its public port
                            "memberAddress",
                            new Gossip.memberAddress_args().setCluster(cluster).setEncrypted(tls.isPresent()),
                            Gossip.memberAddress_result::new,
                            result -> HostPort.parse(result.getSuccess()),
                            SEED_TIMEOUT)
                    .handle((address, error) -> {
                        note(seed, error);
                        return Optional.ofNullable(error == null ? address : null);
                    })
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(
                        all -> found(asked.stream().map(CompletableFuture::join).toList()));
    }

    /** That this node is a seed itself says nothing while others that may have a cluster are silent. */
    private List<HostPort> found(List<Optional<HostPort>> answers) {
        boolean all = answers.stream().allMatch(Optional::isPresent);
        return answers.stream()
                .flatMap(Optional::stream)
                .filter(address -> all || !address.equals(self))
                .toList();
    }

    /** Said once, until it answers again. */
    private void note(String seed, @Nullable Throwable error) {
        if (error == null) {
            silent.remove(seed);
            return;
        }
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (silent.add(seed)) {
            log.warn("seed {}: {}", seed, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof Unauthorized) {
            refused.accept(new Unauthorized("seed " + seed + " refuses this node: " + cause.getMessage()));
        }
    }

    private <A extends TBase<?, ?>, F extends TFieldIdEnum, R extends TBase<R, F>, V> CompletionStage<V> call(
            HostPort to,
            Optional<RpcTls> security,
            String method,
            A arguments,
            Supplier<R> newResult,
            Function<R, V> value,
            Duration timeout) {
        RpcClientConfig config = RpcClientConfig.defaults()
                .withCompact(true)
                .withConnectTimeout(timeout)
                .withCallsPendingMax(1)
                .withWhileDisconnected(RpcClientConfig.WhileDisconnected.FAIL);
        RpcClient client = RpcClient.create(
                loops, InetSocketAddress.createUnresolved(to.host().toString(), to.port()), config, security, random);
        return client.call(method, arguments, newResult, timeout)
                .whenComplete((result, error) -> client.close())
                .thenApply(result -> {
                    Optional<RegistryException> refusal = WireErrors.error(result);
                    if (refusal.isPresent()) {
                        throw refusal.get();
                    }
                    return value.apply(result);
                });
    }
}
