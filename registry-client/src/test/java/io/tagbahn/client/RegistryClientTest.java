// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagPeers;
import io.tagbahn.server.node.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client and a node, over a real connection. */
class RegistryClientTest {

    private static final String LIVRO = "http://example.org/obras#Livro";
    private static final String HORROR = "<http://example.org/obras#Livro> <http://example.org/obras#temUmGenero>"
            + " <http://example.org/obras#Terror>";

    @TempDir
    private static Path folder;

    private static Node node;

    private RegistryClient client;

    @BeforeAll
    static void startNode() {
        node = TestNodes.start(folder, 0);
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @BeforeEach
    void connect() {
        client = RegistryClient.connect(TestNodes.patient(node));
    }

    @AfterEach
    void close() {
        client.close();
        assertThat(node.status().instances()).isZero();
    }

    @Test
    void registersUnderANameAnIriAndAStatementAndIsFoundByEach() {
        Registration registration = client.register("books", "10.0.0.5:8080", LIVRO, HORROR);
        assertThat(registration.id().value()).isEqualTo("books/10.0.0.5:8080");
        assertThat(registration.state()).isEqualTo(RegistrationState.REGISTERED);
        assertThat(registration.grant()).map(LeaseGrant::lease).contains(Duration.ofSeconds(30));
        assertThat(client.discover("books").instances())
                .containsExactly(Instance.of(new ServiceName("books"), HostPort.parse("10.0.0.5:8080")));
        TagPeers peers = client.tagDiscover("<" + LIVRO + ">", HORROR, "urn:none");
        assertThat(peers.instances()).containsOnlyKeys("<" + LIVRO + ">", HORROR);
        assertThat(client.allNames().names()).containsExactly(HORROR, "books", LIVRO);
    }

    @Test
    void everyAsynchronousCallGivesWhatItsBlockingTwinGives() throws Exception {
        Registration registration = client.registerAsync(
                        Instance.of(new ServiceName("books"), HostPort.parse("10.0.0.5:8080")),
                        List.of(Tag.parse(LIVRO)),
                        RegistrationListener.NONE)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        LeaseRef lease = new LeaseRef(
                registration.id(), registration.grant().orElseThrow().generation());
        assertThat(answer(client.discoverAsync("books")).instances())
                .containsExactlyElementsOf(client.discover("books").instances());
        assertThat(answer(client.tagDiscoverAsync(List.of(LIVRO)))).isEqualTo(client.tagDiscover(LIVRO));
        assertThat(answer(client.allNamesAsync())).isEqualTo(client.allNames());
        assertThat(answer(client.serviceNamesAsync(Optional.of("b"), OptionalInt.of(1), Optional.empty())))
                .isEqualTo(client.serviceNames(Optional.of("b"), OptionalInt.of(1), Optional.empty()))
                .extracting(NamesPage::names)
                .isEqualTo(List.of("books"));
        assertThat(answer(client.heartbeatAsync(List.of(lease)))).isEqualTo(client.heartbeat(List.of(lease)));
        assertThat(answer(client.membersAsync())).isEqualTo(client.members()).hasSize(1);
        assertThat(answer(client.ownersAsync(LIVRO)))
                .isEqualTo(client.owners(LIVRO))
                .containsExactly(node.id());
        assertThat(answer(client.statusAsync()).id()).isEqualTo(client.status().id());
        assertThat(answer(registration.registered()).generation()).isEqualTo(lease.generation());
        assertThat(answer(registration.updateAsync(registration.instance().withWeight(7)))
                        .generation())
                .isGreaterThan(lease.generation());
        assertThat(answer(registration.updateTagsAsync(List.of())).generation()).isPositive();
        assertThat(answer(registration.updateAsync(registration.instance(), List.of()))
                        .generation())
                .isPositive();
        answer(registration.deregisterAsync().thenApply(done -> true));
        assertThat(registration.state()).isEqualTo(RegistrationState.CLOSED);
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void updatesReplaceTheInstanceOrTheTags() {
        Registration registration = client.register("books", "10.0.0.5:8080", LIVRO);
        registration.updateTags(HORROR);
        registration.update(registration.instance().withWeight(5));
        assertThat(client.tagDiscover(LIVRO, HORROR).instances())
                .containsOnlyKeys(HORROR)
                .hasEntrySatisfying(
                        HORROR,
                        instances -> assertThat(instances)
                                .extracting(Instance::weight)
                                .containsExactly(5));
        registration.update(registration.instance().withStatus(InstanceStatus.DRAINING), List.of(Tag.parse(LIVRO)));
        assertThatThrownBy(() -> client.tagDiscover(LIVRO)).isInstanceOf(NoPeersAvailable.class);
        assertThatThrownBy(() -> registration.update(SimulatedClient.instance("other", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other");
    }

    @Test
    void closingARegistrationDeregistersIt() {
        try (Registration registration = client.register("books", "10.0.0.5:8080")) {
            assertThat(client.discover("books").instances())
                    .extracting(Instance::id)
                    .containsExactly(registration.id());
        }
        assertThatThrownBy(() -> client.discover("books")).isInstanceOf(NoPeersAvailable.class);
    }

    @Test
    void thousandTagsGoInOneCallAndThirtyThousandInParts() {
        String[] thousand =
                IntStream.range(0, 1_000).mapToObj(i -> "urn:a:" + i).toArray(String[]::new);
        String[] many = IntStream.range(0, 30_000).mapToObj(i -> "urn:b:" + i).toArray(String[]::new);
        long callsBefore = node.rpcStats().calls();
        client.register("a", "10.0.0.5:1", thousand);
        assertThat(node.rpcStats().calls() - callsBefore).isEqualTo(1);
        client.register("b", "10.0.0.5:2", many);
        assertThat(node.rpcStats().calls() - callsBefore).isEqualTo(4);
        assertThat(client.allNames().names()).hasSize(31_002);
        assertThat(client.tagDiscover("urn:a:999", "urn:b:0", "urn:b:29999").instances())
                .hasSize(3);
    }

    @Test
    void errorsOfTheRegistryAreThrownAsTheyAre() {
        assertThatThrownBy(() -> client.discover("none"))
                .isInstanceOfSatisfying(
                        NoPeersAvailable.class, e -> assertThat(e.serviceName()).isEqualTo("none"));
        assertThatThrownBy(() -> client.setStatus(
                        SimulatedClient.instance("none", 1).id(), InstanceStatus.DRAINING, Optional.empty()))
                .isInstanceOf(NotFound.class);
        Registration registration = client.register("books", "10.0.0.5:8080");
        assertThatThrownBy(() -> client.deregister(new LeaseRef(registration.id(), 1)))
                .isInstanceOf(StaleGeneration.class);
    }

    @Test
    void badTextsAreRefusedBeforeAnythingIsSent() {
        long callsBefore = node.rpcStats().calls();
        assertThatThrownBy(() -> client.register("", "10.0.0.5:8080")).isInstanceOf(InvalidServiceName.class);
        assertThatThrownBy(() -> client.register("books", "10.0.0.5")).isInstanceOf(InvalidArgument.class);
        assertThatThrownBy(() -> client.register("books", "10.0.0.5:0")).isInstanceOf(InvalidArgument.class);
        assertThatThrownBy(() -> client.register("books", "10.0.0.5:1", "urn:ok", "<_:b>"))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("tags[1]"));
        assertThatThrownBy(() -> client.tagDiscover("urn:ok", "<relative>"))
                .isInstanceOfSatisfying(
                        InvalidArgument.class, e -> assertThat(e.field()).isEqualTo("serviceTags[1]"));
        assertThatThrownBy(() -> client.discover(":prefixed")).isInstanceOf(InvalidServiceName.class);
        assertThatThrownBy(() -> RegistryClient.connect("nowhere")).isInstanceOf(InvalidArgument.class);
        assertThat(node.rpcStats().calls()).isEqualTo(callsBefore);
    }

    @Test
    void operatorsWordTakesAnInstanceOutAndBackIn() {
        Registration registration = client.register("books", "10.0.0.5:8080");
        client.setStatus(registration.id(), InstanceStatus.OUT_OF_SERVICE, Optional.of("repairs"));
        assertThatThrownBy(() -> client.discover("books")).isInstanceOf(NoPeersAvailable.class);
        answer(client.setStatusAsync(registration.id(), InstanceStatus.UP, Optional.empty())
                .thenApply(done -> true));
        assertThat(client.discover("books").instances()).hasSize(1);
    }

    @Test
    void singleRegistrationWithoutALeaseKeptIsPossible() {
        Instance instance = SimulatedClient.instance("once", 1);
        RegisterRequest request = new RegisterRequest(
                instance, List.of(), Optional.of(Duration.ofSeconds(5)), RegisterMode.REPLACE, OptionalLong.empty());
        LeaseGrant grant = client.advertise(request);
        assertThat(client.discover("once").instances()).containsExactly(instance);
        assertThat(answer(client.advertiseAsync(request)).generation()).isGreaterThan(grant.generation());
        client.deregister(new LeaseRef(instance.id(), 0));
        answer(client.deregisterAsync(new LeaseRef(instance.id(), 0)).thenApply(done -> true));
        assertThatThrownBy(() -> client.discover("once")).isInstanceOf(NoPeersAvailable.class);
    }

    @Test
    void callsMayBlockInWhatFollowsAStage() {
        client.register("books", "10.0.0.5:8080");
        CompletableFuture<Integer> found = client.allNamesAsync()
                .thenApply(
                        page -> client.discover(page.names().get(0)).instances().size())
                .toCompletableFuture();
        assertThat(found.orTimeout(60, TimeUnit.SECONDS).join()).isEqualTo(1);
    }

    @Test
    void compactProtocolServesAsWell() {
        RegistryClientConfig config = TestNodes.patient(node)
                .withConnection(ConnectionConfig.defaults().withCompact(true));
        try (RegistryClient compact = RegistryClient.connect(config)) {
            compact.register("books", "[2001:db8::5]:8080", LIVRO);
            assertThat(client.tagDiscover(LIVRO).instances().values())
                    .allSatisfy(instances -> assertThat(instances).hasSize(1));
        }
    }
}
