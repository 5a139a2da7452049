// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.node.Node;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.DiscoveryResult;
import io.tagbahn.wire.WireErrors;
import io.tagbahn.wire.WireInstance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry that goes and comes back, over real connections: hosts stay known. */
class OutageTest {

    private static final Duration INTERVAL = Duration.ofMillis(300);

    @TempDir
    private Path folder;

    private static RegistryClientConfig config(String... registries) {
        RegistryClientConfig config = TestNodes.patient(registries);
        return config.withCall(config.call().withReadTimeout(Duration.ofSeconds(1)))
                .withLease(config.lease().withDuration(Duration.ofSeconds(2)))
                .withConnection(config.connection().withReconnectDelay(Duration.ofMillis(10), Duration.ofMillis(100)));
    }

    private static boolean isFresh(ServicePeers answer) {
        return !answer.freshness().stale() && !answer.degraded();
    }

    @Test
    void hostsStayKnownWhileTheRegistryIsGoneAndAreFreshSoonAfter() {
        Node first = TestNodes.start(folder, 0);
        int port = first.address().getPort();
        RegistryClientConfig config = config(TestNodes.address(first));
        try (RegistryClient service = RegistryClient.connect(config);
                RegistryClient asking = RegistryClient.connect(config);
                RegistryClient remembering =
                        RegistryClient.connect(config.withKept(config.kept().withRefreshEvery(INTERVAL)))) {
            service.register("books", "10.0.0.5:8080", "urn:a");
            assertThat(isFresh(asking.discover("books"))).isTrue();
            assertThat(isFresh(remembering.discover("books"))).isTrue();
            asking.tagDiscover("urn:a");
            first.close();
            await().atMost(TestNodes.PATIENCE)
                    .until(() -> remembering.discover("books").freshness().stale());
            for (RegistryClient client : List.of(asking, remembering)) {
                ServicePeers stale = client.discover("books");
                assertThat(stale.instances()).hasSize(1);
                assertThat(stale.freshness().stale()).isTrue();
                assertThat(stale.freshness().age()).isPositive();
            }
            assertThat(asking.tagDiscover("urn:a").freshness().stale()).isTrue();
            assertThat(asking.counters().staleAnswers()).isEqualTo(2);
            try (Node second = TestNodes.start(folder, port)) {
                // It knows nobody at first, and must not be believed then.
                await().atMost(TestNodes.PATIENCE).until(() -> {
                    assertThat(asking.discover("books").instances()).hasSize(1);
                    assertThat(remembering.discover("books").instances()).hasSize(1);
                    return isFresh(asking.discover("books")) && isFresh(remembering.discover("books"));
                });
                assertThat(second.status().instances()).isEqualTo(1);
            }
        }
    }

    @Test
    void aProcessThatStartsWhileTheRegistryIsGoneUsesWhatTheOneBeforeHasLeft() {
        Path file = folder.resolve("answers");
        RegistryClientConfig config;
        try (Node node = TestNodes.start(folder, 0)) {
            config = config(TestNodes.address(node));
            config = config.withKept(config.kept().withFile(file));
            try (RegistryClient service = RegistryClient.connect(config(TestNodes.address(node)));
                    RegistryClient before = RegistryClient.connect(config)) {
                service.register("books", "10.0.0.5:8080", "urn:a");
                before.discover("books");
                before.tagDiscover("urn:a");
            }
        }
        try (RegistryClient after = RegistryClient.connect(config)) {
            assertThat(after.discover("books").freshness().stale()).isTrue();
            assertThat(after.tagDiscover("urn:a").instances()).containsKey("urn:a");
            assertThatThrownBy(() -> after.discover("films")).isInstanceOf(RegistryException.class);
        }
        RegistryClientConfig remembering =
                config.withKept(config.kept().withFile(file).withRefreshEvery(INTERVAL));
        try (RegistryClient after = RegistryClient.connect(remembering)) {
            assertThat(after.discover("books").freshness().stale()).isTrue();
            assertThat(after.discover("books").freshness().stale()).isTrue();
        }
    }

    /** A node whose every lookup is answered as this says; what it doesn't answer gets no answer. */
    private static RpcService lookups(Consumer<CompletableFuture<Discovery.discover_result>> answering) {
        return RpcService.builder()
                .<Discovery.discover_args, Discovery.discover_result>method(
                        "discover", Discovery.discover_args::new, (arguments, call) -> {
                            CompletableFuture<Discovery.discover_result> answer = new CompletableFuture<>();
                            answering.accept(answer);
                            return answer;
                        })
                .build();
    }

    private static Discovery.discover_result host(int port) {
        Discovery.discover_result result = new Discovery.discover_result();
        result.setSuccess(new DiscoveryResult(List.of(WireInstance.toPeer(SimulatedClient.instance("books", port)))));
        return result;
    }

    /** One refresh is spoilt while the list changes: the new one shows within two intervals in every case. */
    @Test
    void oneRefreshThatIsSpoiltEndsNothing() {
        List<Consumer<CompletableFuture<Discovery.discover_result>>> spoilt = List.of(
                answer -> { // an error
                    Discovery.discover_result result = new Discovery.discover_result();
                    WireErrors.fail(result, new Overloaded("busy", Signal.STOP, Optional.empty()));
                    answer.complete(result);
                },
                answer -> {}, // none in time
                answer -> answer.complete(new Discovery.discover_result()), // neither a value nor an error
                answer -> answer.completeExceptionally(new IllegalStateException("an answer that is none")));
        RpcLoops loops = RpcLoops.start("stub", 1, System::nanoTime);
        try {
            for (int way = 0; way < spoilt.size(); way++) {
                AtomicInteger calls = new AtomicInteger();
                Consumer<CompletableFuture<Discovery.discover_result>> spoiling = spoilt.get(way);
                RpcService service = lookups(answer -> {
                    int call = calls.incrementAndGet();
                    if (call == 2) {
                        spoiling.accept(answer);
                    } else {
                        answer.complete(host(call == 1 ? 1 : 2));
                    }
                });
                InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
                RpcServer server = RpcServer.start(loops, any, service, RpcLimits.defaults());
                RegistryClientConfig config =
                        config("127.0.0.1:" + server.address().getPort());
                try (RegistryClient client = RegistryClient.connect(config.withCall(config.call()
                                .withReadTimeout(Duration.ofMillis(200))
                                .withAttemptsMax(1))
                        .withKept(config.kept().withRefreshEvery(INTERVAL)))) {
                    assertThat(client.discover("books")
                                    .instances()
                                    .get(0)
                                    .address()
                                    .port())
                            .isEqualTo(1);
                    await().atMost(TestNodes.PATIENCE)
                            .until(() -> client.discover("books").instances().stream()
                                    .anyMatch(instance -> instance.address().port() == 2));
                    assertThat(calls.get()).as("way " + way).isGreaterThanOrEqualTo(3);
                    assertThat(client.counters().refreshesFailed())
                            .as("way " + way)
                            .isEqualTo(1);
                } finally {
                    server.close();
                }
            }
        } finally {
            loops.close();
        }
    }

    @Test
    void aListenerThatFailsOnceIsToldOfFurtherChanges() {
        try (Node node = TestNodes.start(folder, 0);
                RegistryClient client = RegistryClient.connect(config(TestNodes.address(node)))) {
            AtomicInteger told = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger();
            client.register("books", "10.0.0.5:1");
            Watch watch = client.watch(List.of("books"), peers -> {
                if (told.incrementAndGet() == 1) {
                    throw new IllegalStateException("a listener that fails");
                }
                seen.set(peers.instances().getOrDefault("books", List.of()).size());
            });
            await().atMost(TestNodes.PATIENCE).until(() -> told.get() == 1);
            client.register("books", "10.0.0.5:2");
            await().atMost(TestNodes.PATIENCE).until(() -> seen.get() == 2);
            watch.close();
        }
    }
}
