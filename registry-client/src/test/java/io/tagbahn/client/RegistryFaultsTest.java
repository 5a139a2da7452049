// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.model.Unreachable;
import io.tagbahn.server.node.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links that break, nodes that die, hang or come late, over real connections. */
class RegistryFaultsTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String A = "urn:a";
    private static final String B = "urn:b";

    @TempDir
    private Path folder;

    private static RegistryClientConfig patient(String... registries) {
        return TestNodes.patient(registries)
                .withLease(LeaseConfig.defaults().withDuration(LEASE).withCloseTimeout(TestNodes.PATIENCE))
                .withConnection(
                        ConnectionConfig.defaults().withReconnectDelay(Duration.ofMillis(10), Duration.ofMillis(100)));
    }

    private static Instance instance(String name, int port) {
        return Instance.of(new ServiceName(name), HostPort.parse("10.0.0.5:" + port));
    }

    private static boolean isFound(RegistryClient client, String tag) {
        try {
            return !client.tagDiscover(tag).instances().isEmpty();
        } catch (NoPeersAvailable e) {
            return false;
        }
    }

    /** A server socket that takes connections and never answers. */
    private static ServerSocket hangingServer() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = hangingServer()) {
            return socket.getLocalPort();
        }
    }

    @Test
    void registrationThatIsMadeAgainAfterACutCarriesTheNewestTags() throws Exception {
        try (Node node = TestNodes.start(folder, 0);
                TcpProxy proxy = new TcpProxy(node.address());
                RegistryClient client = RegistryClient.connect(patient(proxy.address()));
                RegistryClient observer = RegistryClient.connect(patient(TestNodes.address(node)))) {
            Registration registration = client.register("books", "10.0.0.5:8080", A);
            registration.updateTags(B);
            proxy.cut();
            await().atMost(TestNodes.PATIENCE).until(() -> {
                assertThat(isFound(observer, A)).isFalse();
                return !isFound(observer, B);
            });
            proxy.restore();
            await().atMost(TestNodes.PATIENCE).until(() -> {
                assertThat(isFound(observer, A)).isFalse();
                return isFound(observer, B);
            });
            await().atMost(TestNodes.PATIENCE).until(() -> registration.state() == RegistrationState.REGISTERED);
        }
    }

    @Test
    void nodeThatRestartsEmptyGetsAllRegistrationsBack() {
        Node first = TestNodes.start(folder, 0);
        int port = first.address().getPort();
        BlockingQueue<String> threads = new LinkedBlockingQueue<>();
        try (RegistryClient client = RegistryClient.connect(patient(TestNodes.address(first)))) {
            for (int i = 0; i < 50; i++) {
                client.register(instance("s", 1000 + i), List.of(Tag.parse("urn:t" + i)), new RegistrationListener() {
                    @Override
                    public void onReregistered(Registration registration) {
                        threads.add(Thread.currentThread().getName());
                    }
                });
            }
            first.close();
            try (Node second = TestNodes.start(folder, port)) {
                await().atMost(TestNodes.PATIENCE).until(() -> second.status().instances() == 50);
                assertThat(client.discover("s").instances()).hasSize(50);
                assertThat(client.allNames().names()).hasSize(51);
                await().atMost(TestNodes.PATIENCE).until(() -> threads.size() == 50);
                assertThat(threads).containsOnly("tagbahn-client-callbacks");
            }
        }
    }

    @Test
    void registryThatComesUpLaterGetsWhatWasToBeRegistered() throws Exception {
        int port = unusedPort();
        try (RegistryClient client = RegistryClient.connect(patient("127.0.0.1:" + port))) {
            assertThatThrownBy(() -> client.register("books", "10.0.0.5:8080")).isInstanceOf(Unreachable.class);
            Registration registration =
                    client.keepRegistered(instance("books", 8080), List.of(), RegistrationListener.NONE);
            assertThat(registration.state()).isEqualTo(RegistrationState.REGISTERING);
            try (Node node = TestNodes.start(folder, port)) {
                LeaseGrant grant = registration
                        .registered()
                        .toCompletableFuture()
                        .get(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(grant.instanceId()).isEqualTo(registration.id());
                assertThat(client.discover("books").instances()).hasSize(1);
                registration.deregister();
                assertThat(node.status().instances()).isZero();
            }
        }
    }

    @Test
    void deadAddressAmongTheRegistriesIsNoHindrance() throws Exception {
        try (Node node = TestNodes.start(folder, 0);
                RegistryClient client =
                        RegistryClient.connect(patient("127.0.0.1:" + unusedPort(), TestNodes.address(node)))) {
            client.register("books", "10.0.0.5:8080");
            for (int i = 0; i < 20; i++) {
                assertThat(client.discover("books").instances()).hasSize(1);
            }
        }
    }

    @Test
    void nodeThatHangsIsLeftForAnotherWithinTheDeadline() throws Exception {
        try (ServerSocket hanging = hangingServer();
                Node node = TestNodes.start(folder, 0);
                RegistryClient client =
                        RegistryClient.connect(patient("127.0.0.1:" + hanging.getLocalPort(), TestNodes.address(node))
                                .withCall(CallConfig.defaults().withReadTimeout(Duration.ofSeconds(6))))) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.status().id()).isEqualTo(node.id());
            }
        }
    }

    @Test
    void deadlineHoldsWhereTheOnlyNodeHangs() throws Exception {
        try (ServerSocket hanging = hangingServer();
                RegistryClient client = RegistryClient.connect(patient("127.0.0.1:" + hanging.getLocalPort())
                        .withCall(CallConfig.defaults().withReadTimeout(Duration.ofMillis(300)))
                        .withLease(LeaseConfig.defaults().withCloseTimeout(Duration.ofMillis(300))))) {
            long before = System.nanoTime();
            assertThatThrownBy(client::status).isInstanceOf(OutcomeUnknown.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofMillis(299), Duration.ofSeconds(10));
        }
    }

    @Test
    void waitingThreadCanBeInterrupted() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ServerSocket hanging = hangingServer();
                RegistryClient client = RegistryClient.connect(patient("127.0.0.1:" + hanging.getLocalPort()))) {
            AtomicBoolean interrupted = new AtomicBoolean();
            CompletableFuture<Thread> waiting = new CompletableFuture<>();
            Future<?> call = executor.submit(() -> {
                waiting.complete(Thread.currentThread());
                try {
                    client.status();
                } finally {
                    interrupted.set(Thread.currentThread().isInterrupted());
                }
            });
            waiting.get(30, TimeUnit.SECONDS).interrupt();
            assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(OutcomeUnknown.class);
            assertThat(interrupted).isTrue();
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void closingIsBoundedWhereTheRegistryHangsOrIsGone() throws Exception {
        Node node = TestNodes.start(folder, 0);
        TcpProxy proxy = new TcpProxy(node.address());
        RegistryClient client = RegistryClient.connect(
                patient(proxy.address()).withLease(LeaseConfig.defaults().withCloseTimeout(Duration.ofMillis(500))));
        try (proxy) {
            client.register("books", "10.0.0.5:8080");
            node.close();
            long before = System.nanoTime();
            client.close();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
            assertThatThrownBy(client::status).isInstanceOf(Unreachable.class);
            assertThatThrownBy(() -> client.register("films", "10.0.0.5:8080")).isInstanceOf(Unreachable.class);
        }
    }

    @Test
    void closedClientLeavesNoThreads() {
        try (Node node = TestNodes.start(folder, 0)) {
            RegistryClient client = RegistryClient.connect(patient(TestNodes.address(node)));
            client.register("books", "10.0.0.5:8080");
            assertThat(clientThreads()).isNotEmpty();
            client.close();
            await().atMost(TestNodes.PATIENCE).until(() -> clientThreads().isEmpty());
        }
    }

    private static List<String> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("tagbahn-client"))
                .toList();
    }

    @Test
    void closingFiveHundredTimesUnderLoadLeavesNothingBehind() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(5);
        AtomicBoolean stop = new AtomicBoolean();
        try (Node node = TestNodes.start(folder, 0);
                RegistryClient observer = RegistryClient.connect(patient(TestNodes.address(node)))) {
            Future<?> load = executor.submit(() -> {
                while (!stop.get()) {
                    isFound(observer, A);
                    observer.allNames();
                }
            });
            List<Future<?>> closers = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = thread * 125;
                closers.add(executor.submit(() -> {
                    for (int i = first; i < first + 125; i++) {
                        registerAndClose(TestNodes.address(node), i);
                    }
                }));
            }
            for (Future<?> closer : closers) {
                closer.get(120, TimeUnit.SECONDS);
            }
            assertThat(node.status().instances()).isZero();
            await().during(LEASE)
                    .atMost(TestNodes.PATIENCE)
                    .until(() -> node.status().instances() == 0);
            stop.set(true);
            load.get(30, TimeUnit.SECONDS);
            assertThat(observer.allNames().names()).isEmpty();
        } finally {
            stop.set(true);
            executor.shutdown();
        }
    }

    /** Closes with a heartbeat and an update, and now and then the first registration, on their way. */
    private static void registerAndClose(String address, int number) {
        RegistryClient client = RegistryClient.connect(patient(address));
        List<CompletionStage<?>> onTheirWay = new ArrayList<>();
        if (number % 5 == 0) {
            client.keepRegistered(instance("s", 1000 + number), List.of(Tag.parse(A)), RegistrationListener.NONE);
        } else {
            Registration registration = client.register("s", "10.0.0.5:" + (1000 + number), A);
            LeaseRef lease = new LeaseRef(
                    registration.id(), registration.grant().orElseThrow().generation());
            onTheirWay.add(client.heartbeatAsync(List.of(lease)));
            onTheirWay.add(registration.updateTagsAsync(List.of(Tag.parse(B))));
        }
        client.close();
        assertThat(onTheirWay)
                .allSatisfy(stage -> assertThat(stage.handle((value, error) -> true)
                                .toCompletableFuture()
                                .orTimeout(30, TimeUnit.SECONDS)
                                .join())
                        .isTrue());
    }
}
