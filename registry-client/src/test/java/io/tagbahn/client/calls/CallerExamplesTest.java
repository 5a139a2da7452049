// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.client.RegistryClientConfig;
import io.tagbahn.model.HostPort;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/calls.md. */
final class CallerExamplesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final Http http = new Http();
    private Node node;
    private RegistryClient registry;

    /** Whatever a service is called by. */
    private static final class Http {
        String get(HostPort address, String path, Duration timeout) {
            assertThat(timeout).isPositive();
            return address + path;
        }

        CompletionStage<String> getAsync(HostPort address, String path, Duration timeout) {
            return CompletableFuture.completedFuture(get(address, path, timeout));
        }
    }

    private static final class NoSuchBook extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @BeforeEach
    void start() {
        node = Node.start(NodeConfig.parse(Map.of(
                "node.listen", "127.0.0.1:0",
                "cluster.listen", "127.0.0.1:0",
                "node.data-dir", folder.resolve("node").toString())));
        registry = RegistryClient.connect(RegistryClientConfig.defaults()
                .withRegistries("127.0.0.1:" + node.address().getPort()));
        registry.register("books", "10.0.0.5:8080", "http://example.org/obras#Livro");
    }

    @AfterEach
    void stop() {
        registry.close();
        node.close();
    }

    @Test
    void callsByNameWithBlockingAndWithout() throws InterruptedException, ExecutionException, TimeoutException {
        try (Caller books = Caller.of(
                registry, CallTarget.named("books"), CallerConfig.defaults().withTimeout(PATIENCE))) {
            String page =
                    books.call(Idempotency.IDEMPOTENT, host -> http.get(host.address(), "/page/7", host.remaining()));
            assertThat(page).isEqualTo("10.0.0.5:8080/page/7");

            CompletionStage<String> answer = books.callAsync(
                    Idempotency.IDEMPOTENT, host -> http.getAsync(host.address(), "/page/7", host.remaining()));
            assertThat(answer.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(page);

            Duration left = Duration.ofSeconds(5);
            assertThat(books.<String>call(
                            left,
                            Idempotency.IDEMPOTENT,
                            host -> http.get(host.address(), "/page/7", host.remaining())))
                    .isEqualTo(page);

            CallCounters counters = books.counters();
            List<HostView> hosts = books.hosts();
            assertThat(counters.answered()).isEqualTo(3);
            assertThat(hosts)
                    .singleElement()
                    .satisfies(host -> assertThat(host.pending()).isZero());
        }
    }

    @Test
    void nearHostsComeFirst() {
        try (Caller near = Caller.of(
                registry,
                CallTarget.tagged("http://example.org/obras#Livro"),
                CallerConfig.defaults().withTimeout(PATIENCE).near(Here.fromEnvironment()))) {
            assertThat(near.<String>call(
                            Idempotency.IDEMPOTENT, host -> host.address().toString()))
                    .isEqualTo("10.0.0.5:8080");
        }
    }

    @Test
    void failuresOfTheServiceAreItsAnswers() {
        try (Caller books = Caller.of(
                registry,
                CallTarget.named("books"),
                CallerConfig.defaults().withTimeout(PATIENCE),
                error -> error instanceof NoSuchBook ? FailureKind.ANSWERED : FailureKind.of(error),
                CallListener.NONE)) {
            assertThatThrownBy(() -> books.call(Idempotency.IDEMPOTENT, host -> {
                        throw new NoSuchBook();
                    }))
                    .isInstanceOf(NoSuchBook.class);
        }
    }
}
