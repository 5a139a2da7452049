// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Host;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.Tag;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.LocalReplica;
import io.tagbahn.server.cluster.Meaning;
import io.tagbahn.server.store.LeaseTerms;
import io.tagbahn.server.store.OperatorStatus;
import io.tagbahn.server.store.StoreLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegistryServiceTest {

    private static final ServiceLimits LIMITS = new ServiceLimits(10, 10, 10, ServiceLimits.ANSWER_BYTES_LEAST);

    private CompletableFuture<Void> kept = CompletableFuture.completedFuture(null);
    private final List<OperatorStatus> keptWords = new ArrayList<>();
    private final LocalReplica replica = new LocalReplica(
            StoreLimits.defaults(),
            LeaseTerms.defaults(),
            100,
            System::nanoTime,
            InstantSource.system(),
            List.of(),
            words -> {
                keptWords.clear();
                keptWords.addAll(words);
                return kept;
            });
    private final Meaning meaning = LoneCluster.meaning(System::nanoTime);
    private final Cluster cluster = LoneCluster.of(replica, meaning, System::nanoTime, InstantSource.system());
    private final RegistryService service = new RegistryService(
            replica, () -> cluster, new NodeInfo("n", "1", System.nanoTime(), 1), LIMITS, System::nanoTime);

    @BeforeEach
    void start() {
        meaning.start(replica);
        replica.start();
        cluster.start();
        service.phase(Phase.READY);
    }

    @AfterEach
    void stop() {
        cluster.close();
        meaning.close();
        replica.close();
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletionStage<?> stage) throws Exception {
        try {
            throw new AssertionError("no failure but " + get(stage));
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    private static RegisterRequest request(String id, String... tags) {
        Instance instance = Instance.of(new ServiceName("s"), new HostPort(Host.parse("10.0.0.1"), 80))
                .withId(new InstanceId(id));
        return new RegisterRequest(
                instance,
                List.of(tags).stream().map(Tag::parse).toList(),
                Optional.empty(),
                RegisterMode.REPLACE,
                OptionalLong.empty());
    }

    private static NamesQuery names(Optional<String> cursor) {
        return new NamesQuery("", OptionalInt.empty(), cursor);
    }

    @Test
    void nodeThatIsNotReadySaysSoToEverythingButStatus() throws Exception {
        List<Supplier<CompletionStage<?>>> calls = List.of(
                () -> service.register(request("i"), CallContext.NONE),
                () -> service.heartbeat(List.of(), CallContext.NONE),
                () -> service.deregister(new LeaseRef(new InstanceId("i"), 0), CallContext.NONE),
                () -> service.setStatus(new InstanceId("i"), InstanceStatus.UP, Optional.empty(), CallContext.NONE),
                () -> service.discover("s", CallContext.NONE),
                () -> service.tagDiscover(List.of("s"), CallContext.NONE),
                () -> service.serviceNames(names(Optional.empty()), CallContext.NONE),
                () -> service.members(CallContext.NONE),
                () -> service.owners("s", CallContext.NONE));
        for (Phase phase : List.of(Phase.STARTING, Phase.STOPPING)) {
            service.phase(phase);
            for (Supplier<CompletionStage<?>> call : calls) {
                assertThat(failure(call.get())).as(phase.toString()).isInstanceOf(NotReady.class);
            }
            assertThat(service.status().ready()).isFalse();
        }
        service.phase(Phase.READY);
        assertThat(service.status().ready()).isTrue();
    }

    @Test
    void callWhoseDeadlineHasPassedChangesNothing() throws Exception {
        CallContext late = CallContext.NONE.withDeadline(Duration.ZERO);

        assertThat(failure(service.register(request("i"), late))).isInstanceOf(Overloaded.class);
        assertThat(failure(service.tagDiscover(List.of("s"), late))).isInstanceOf(Overloaded.class);
        assertThat(get(service.serviceNames(names(Optional.empty()), CallContext.NONE))
                        .names())
                .isEmpty();
    }

    @Test
    void deadlineCenturiesAwayIsADeadline() throws Exception {
        CallContext patient = CallContext.NONE.withDeadline(Duration.ofMillis(Long.MAX_VALUE));

        assertThat(get(service.register(request("i"), patient)).instanceId()).hasToString("i");
    }

    @Test
    void cursorIsGoodAlsoWhenItsEntryIsGone() throws Exception {
        get(service.register(request("i", "a", "b", "c", "d", "e", "f", "g", "h", "k", "l", "m"), CallContext.NONE));
        NamesPage first = get(service.serviceNames(names(Optional.empty()), CallContext.NONE));
        assertThat(first.names()).hasSize(10).endsWith("l");

        get(service.register(request("i", "a", "m", "n"), CallContext.NONE));
        NamesPage second = get(service.serviceNames(names(first.nextCursor()), CallContext.NONE));
        assertThat(second.names()).containsExactly("m", "n", "s");
        assertThat(second.nextCursor()).isEmpty();
    }

    @Test
    void cursorThatNoNodeHasMadeIsRefused() throws Exception {
        for (String cursor : List.of("x", "1.*", "2.YQ", "1._w", "1." + "YQ".repeat(20_000))) {
            CompletionStage<NamesPage> page = service.serviceNames(names(Optional.of(cursor)), CallContext.NONE);
            assertThat(failure(page))
                    .as(cursor)
                    .isInstanceOfSatisfying(
                            InvalidArgument.class,
                            error -> assertThat(error.field()).isEqualTo("cursor"));
        }
    }

    @Test
    void operatorsWordIsAnsweredWhenItIsKept() throws Exception {
        get(service.register(request("i"), CallContext.NONE));
        kept = new CompletableFuture<>();
        CompletionStage<Void> set =
                service.setStatus(new InstanceId("i"), InstanceStatus.DRAINING, Optional.of("why"), CallContext.NONE);
        get(service.heartbeat(List.of(), CallContext.NONE)); // whatever was queued before is done
        assertThat(set.toCompletableFuture()).isNotDone();
        assertThat(keptWords)
                .singleElement()
                .satisfies(word -> assertThat(word.reason()).isEqualTo("why"));

        kept.completeExceptionally(new RegistryFault("disk full"));
        assertThat(failure(set)).isInstanceOf(RegistryFault.class);
    }

    @Test
    void reasonIsBounded() throws Exception {
        for (String reason : List.of("x".repeat(RegistryService.REASON_BYTES_MAX + 1), "a\nb", "\u00E9".repeat(513))) {
            assertThat(failure(service.setStatus(
                            new InstanceId("i"), InstanceStatus.DRAINING, Optional.of(reason), CallContext.NONE)))
                    .isInstanceOfSatisfying(
                            InvalidArgument.class,
                            error -> assertThat(error.field()).isEqualTo("reason"));
        }
    }

    @Test
    void warningsAreBounded() throws Exception {
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < 2 * RegistryService.WARNINGS_MAX; i++) {
            tags.add("HTTP://example.org/" + i);
        }

        assertThat(get(service.register(request("i", tags.toArray(String[]::new)), CallContext.NONE))
                        .warnings())
                .hasSizeBetween(1, RegistryService.WARNINGS_MAX);
    }
}
