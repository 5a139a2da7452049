// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.node.Node;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.wire.WireErrors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that rejects every call, and keeps what came with it. */
class StubbedNodeTest {

    @TempDir
    private Path folder;

    private final List<CallContext> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile Optional<RegistryException> rejection = Optional.empty();
    private RpcLoops loops;
    private RpcServer server;

    @BeforeEach
    void start() {
        loops = RpcLoops.start("stub", 1, System::nanoTime);
        RpcService service = RpcService.builder()
                .<Discovery.members_args, Discovery.members_result>method(
                        "members", Discovery.members_args::new, (arguments, call) -> {
                            seen.add(arguments.getContext());
                            Discovery.members_result result = new Discovery.members_result();
                            rejection.ifPresent(error ->
                                    assertThat(WireErrors.fail(result, error)).isPresent());
                            return CompletableFuture.completedFuture(result);
                        })
                .<Discovery.watch_args, Discovery.watch_result>method(
                        "watch", Discovery.watch_args::new, (arguments, call) -> {
                            waiting.incrementAndGet();
                            return new CompletableFuture<>();
                        })
                .build();
        server = RpcServer.start(
                loops, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), service, RpcLimits.defaults());
    }

    @AfterEach
    void stop() {
        server.close();
        loops.close();
    }

    private RegistryClientConfig config(String... further) {
        String[] registries = Stream.concat(
                        Stream.of("127.0.0.1:" + server.address().getPort()), Stream.of(further))
                .toArray(String[]::new);
        return TestNodes.patient(registries).withCaller("shop").withToken("secret");
    }

    @Test
    void callsThatWaitHaveAConnectionOfTheirOwn() {
        try (RegistryClient client = RegistryClient.connect(config());
                Watch watch = client.watch(List.of("books"), peers -> {})) {
            await().atMost(TestNodes.PATIENCE).until(() -> waiting.get() == 1);
            assertThat(server.stats().connectionsOpen()).isEqualTo(1);
            assertThatThrownBy(client::members).isInstanceOf(RegistryFault.class);
            assertThat(server.stats().connectionsOpen()).isEqualTo(2);
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void nodeThatIsNotReadyIsLeftForOneThatIs() {
        rejection = Optional.of(new NotReady("filling", Optional.empty()));
        try (Node node = TestNodes.start(folder, 0);
                RegistryClient client = RegistryClient.connect(config(TestNodes.address(node)))) {
            for (int i = 0; i < 6; i++) {
                assertThat(client.members()).hasSize(1);
            }
        }
    }

    @Test
    void rejectionsOfTheOnlyNodeReachTheCaller() {
        try (RegistryClient client = RegistryClient.connect(config())) {
            rejection = Optional.of(new NotReady("filling", Optional.of(Duration.ofMillis(5))));
            assertThatThrownBy(client::members)
                    .isInstanceOfSatisfying(
                            NotReady.class, e -> assertThat(e.retryAfter()).contains(Duration.ofMillis(5)));
            rejection = Optional.of(new Unauthorized("wrong token"));
            assertThatThrownBy(client::members).isInstanceOf(Unauthorized.class).hasMessage("wrong token");
            rejection = Optional.of(new Overloaded("quota", Signal.STOP, Optional.empty()));
            assertThatThrownBy(client::members).isInstanceOf(Overloaded.class);
            rejection = Optional.empty();
            assertThatThrownBy(client::members).isInstanceOf(RegistryFault.class); // neither a value nor an error
            assertThatThrownBy(client::status).isInstanceOf(RegistryFault.class); // a method it doesn't know
        }
    }

    @Test
    void eachAttemptSaysWhichItIsAndHowMuchTimeIsLeft() {
        rejection = Optional.of(new NotReady("filling", Optional.of(Duration.ofMillis(20))));
        try (RegistryClient client = RegistryClient.connect(config())) {
            assertThatThrownBy(client::members).isInstanceOf(NotReady.class);
        }
        assertThat(seen).extracting(CallContext::getAttempt).containsExactly(0, 1, 2);
        assertThat(seen).extracting(CallContext::getCaller).containsOnly("shop");
        assertThat(seen).extracting(CallContext::getToken).containsOnly("secret");
        long before = TestNodes.PATIENCE.toMillis() + 1;
        for (CallContext context : seen) {
            assertThat(context.getDeadlineMillis()).isPositive().isLessThan(before);
            before = context.getDeadlineMillis();
        }
    }
}
