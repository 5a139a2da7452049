// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static io.tagbahn.server.node.TestingCaller.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.thrift.CallContext;
import io.tagbahn.thrift.HeartbeatQuery;
import io.tagbahn.thrift.HeartbeatResult;
import io.tagbahn.thrift.InstanceStatus;
import io.tagbahn.thrift.LeaseGrant;
import io.tagbahn.thrift.LeaseRef;
import io.tagbahn.thrift.NodeStatus;
import io.tagbahn.thrift.RegisterMode;
import io.tagbahn.thrift.RegisterQuery;
import io.tagbahn.thrift.ServiceNamesQuery;
import io.tagbahn.thrift.ServiceNamesResult;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.TagDiscoveryQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real node, asked over real connections. */
class NodeTest {

    private static final String HORROR = "<http://example.org/obras#Livro> <http://example.org/obras#temUmGenero>"
            + " <http://example.org/obras#Terror>";

    @TempDir
    private Path folder;

    private Node node;
    private TestingCaller caller;

    @BeforeEach
    void start() {
        node = Node.start(config(Map.of()));
        caller = new TestingCaller(node.address());
    }

    @AfterEach
    void stop() {
        caller.close();
        node.close();
    }

    private NodeConfig config(Map<String, String> more) {
        Map<String, String> all =
                new HashMap<>(Map.of("node.listen", "127.0.0.1:0", "node.data-dir", folder.toString()));
        all.putAll(more);
        return NodeConfig.parse(all);
    }

    private void restart(Map<String, String> more) {
        stop();
        node = Node.start(config(more));
        caller = new TestingCaller(node.address());
    }

    @Test
    void registeredInstanceIsFoundByNameAndByEachTag() {
        LeaseGrant grant = caller.register(
                instance("i1", "livros", "172.17.0.11", 8080), HORROR, "http://example.org/obras#Livro", "plain");

        assertThat(grant.getInstanceId()).isEqualTo("i1");
        assertThat(grant.getLeaseMillis()).isEqualTo(30_000);
        assertThat(grant.getHeartbeatMillis()).isEqualTo(10_000);
        assertThat(grant.getCopiesMade()).isEqualTo(1);
        assertThat(grant.getCopiesWanted()).isEqualTo(1);
        List<ServicePeer> peers = caller.discover("livros");
        assertThat(peers).hasSize(1);
        assertThat(peers.get(0).getIp().getIpv4()).isEqualTo(0xAC11000B);
        assertThat(peers.get(0).getPort()).isEqualTo(8080);
        assertThat(peers.get(0).getInstance().getId()).isEqualTo("i1");
        assertThat(caller.tagDiscover(HORROR, "http://example.org/obras#Livro", "plain", "absent"))
                .containsOnlyKeys(HORROR, "http://example.org/obras#Livro", "plain")
                .allSatisfy((tag, found) -> assertThat(found).isEqualTo(peers));
        assertThat(caller.allNames(100)).containsExactly(HORROR, "http://example.org/obras#Livro", "livros", "plain");
    }

    @Test
    void answersAreSpeltAsTheQuestionWas() {
        caller.register(instance("i1", "livros", "10.0.0.1", 80), HORROR);
        String spelling = HORROR + " .";

        assertThat(caller.tagDiscover(spelling, HORROR, HORROR)).containsOnlyKeys(spelling, HORROR);
    }

    @Test
    void instanceWithoutIdIsNamedAfterItsServiceAndAddress() {
        LeaseGrant grant = caller.advertise(
                new RegisterQuery(new io.tagbahn.thrift.Instance("livros", "2001:DB8::1", 80), List.of()));

        assertThat(grant.getInstanceId()).isEqualTo("livros/[2001:db8::1]:80");
    }

    @Test
    void badTagRefusesTheWholeCallAndNamesItsIndex() {
        caller.register(instance("i1", "livros", "10.0.0.1", 80), "good");

        InvalidArgument asked = refusedArgument(() -> caller.tagDiscover("good", "good", "good", "<a> <b>"));
        InvalidArgument registered =
                refusedArgument(() -> caller.register(instance("i2", "x", "10.0.0.1", 80), "good", "_:blank"));

        assertThat(asked.field()).isEqualTo("serviceTags[3]");
        assertThat(registered.field()).isEqualTo("serviceTags[1]");
        assertThat(caller.allNames(10)).containsExactly("good", "livros");
    }

    @Test
    void noPeersOnlyWhereNoTagHasOne() {
        caller.register(instance("i1", "livros", "10.0.0.1", 80), "a");

        assertThat(caller.tagDiscover("b", "a")).containsOnlyKeys("a");
        assertThatThrownBy(() -> caller.tagDiscover("b", "c"))
                .isInstanceOfSatisfying(
                        NoPeersAvailable.class,
                        error -> assertThat(error.serviceName()).isEqualTo("b"));
        assertThatThrownBy(() -> caller.discover("filmes"))
                .isInstanceOfSatisfying(
                        NoPeersAvailable.class,
                        error -> assertThat(error.serviceName()).isEqualTo("filmes"));
        assertThatThrownBy(() -> caller.discover("<filmes>")).isInstanceOf(InvalidServiceName.class);
    }

    @Test
    void eachBadInputIsRefusedWithItsField() {
        assertThat(refusedArgument(() -> caller.register(instance("i", "s", "10.0.0.256", 80)))
                        .field())
                .isEqualTo("instance.host");
        assertThat(refusedArgument(() -> caller.register(instance("i", "s", "10.0.0.1", 0)))
                        .field())
                .isEqualTo("instance.port");
        assertThat(refusedArgument(() -> caller.register(instance("", "s", "10.0.0.1", 80)))
                        .field())
                .isEqualTo("instance.id");
        assertThat(refusedArgument(() -> caller.register(
                                instance("i", "s", "10.0.0.1", 80).setWeight(65_536)))
                        .field())
                .isEqualTo("instance.weight");
        assertThat(refusedArgument(() -> caller.register(
                                new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of()).setGeneration(0)))
                        .field())
                .isEqualTo("generation");
        assertThatThrownBy(() -> caller.register(instance("i", "bad|name", "10.0.0.1", 80)))
                .isInstanceOf(InvalidServiceName.class);
        assertThat(refusedArgument(() -> caller.serviceNames(new ServiceNamesQuery().setLimit(0)))
                        .field())
                .isEqualTo("limit");
        assertThat(refusedArgument(() -> caller.serviceNames(new ServiceNamesQuery().setLimit(100_001)))
                        .field())
                .isEqualTo("limit");
        assertThat(refusedArgument(() -> caller.serviceNames(new ServiceNamesQuery().setCursor("livros")))
                        .field())
                .isEqualTo("cursor");
        assertThat(refusedArgument(() -> caller.tagDiscover()).field()).isEqualTo("serviceTags");
        assertThat(refusedArgument(() -> caller.owners("_:b")).field()).isEqualTo("tag");
        assertThat(refusedArgument(() -> caller.setStatus(" i", InstanceStatus.UP, null))
                        .field())
                .isEqualTo("instanceId");
        assertThat(refusedArgument(() -> caller.deregister("i", -1)).field()).isEqualTo("lease.generation");
        assertThat(refusedArgument(() -> caller.heartbeat(new LeaseRef("i", 1), new LeaseRef("", 1)))
                        .field())
                .isEqualTo("leases[1].id");
        assertThat(caller.allNames(10)).isEmpty();
    }

    @Test
    void limitsOfACallAreHeldAndNamed() {
        restart(Map.of(
                "limits.tags-per-query", "3", "limits.leases-per-heartbeat", "2", "limits.tags-per-registration", "2"));
        caller.register(instance("i", "s", "10.0.0.1", 80), "a", "b");

        assertThat(caller.tagDiscover("a", "b", "c")).containsOnlyKeys("a", "b");
        assertThat(refusedArgument(() -> caller.tagDiscover("a", "b", "c", "d")))
                .hasMessageContaining("1..3")
                .extracting(InvalidArgument::field)
                .isEqualTo("serviceTags");
        assertThat(caller.heartbeat(new LeaseRef("x", 1), new LeaseRef("y", 1)).getUnknown())
                .hasSize(2);
        assertThat(refusedArgument(() ->
                                caller.heartbeat(new HeartbeatQuery(Collections.nCopies(3, new LeaseRef("x", 1)))))
                        .field())
                .isEqualTo("leases");
        assertThat(refusedArgument(() -> caller.register(instance("j", "s", "10.0.0.1", 80), "a", "b", "c"))
                        .field())
                .isEqualTo("serviceTags");
    }

    @Test
    void suspiciousTagIsRegisteredWithAWarning() {
        LeaseGrant grant = caller.register(instance("i", "s", "10.0.0.1", 80), "HTTP://example.org/a", "fine");

        assertThat(grant.getWarnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.getTag()).isEqualTo("HTTP://example.org/a"));
        assertThat(caller.tagDiscover("HTTP://example.org/a")).hasSize(1);
    }

    @Test
    void registerRetriedYieldsOneEntry() {
        RegisterQuery query = new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of("a"));
        long first = caller.register(query).getGeneration();
        long second = caller.register(query.setContext(new CallContext().setAttempt(1)))
                .getGeneration();

        assertThat(second).isGreaterThan(first);
        assertThat(caller.discover("s")).hasSize(1);
        assertThat(caller.tagDiscover("a").get("a")).hasSize(1);
        assertThat(caller.heartbeat(new LeaseRef("i", first)).getSuperseded()).hasSize(1);
    }

    @Test
    void partsOfOneGenerationUnite() {
        long generation =
                caller.register(instance("i", "s", "10.0.0.1", 80), "a").getGeneration();
        RegisterQuery part = new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of("b"))
                .setMode(RegisterMode.ADD)
                .setGeneration(generation);
        caller.register(part);

        assertThat(caller.tagDiscover("a", "b")).containsOnlyKeys("a", "b");
        assertThatThrownBy(() -> caller.register(part.setMode(RegisterMode.REPLACE)))
                .isInstanceOfSatisfying(
                        StaleGeneration.class,
                        error -> assertThat(error.current()).isEqualTo(generation));
        assertThatThrownBy(() -> caller.register(
                        new RegisterQuery(instance("j", "s", "10.0.0.1", 80), List.of()).setMode(RegisterMode.ADD)))
                .isInstanceOf(NotFound.class);
    }

    @Test
    void deregistrationWinsOverLateHeartbeatsAndRegistrations() {
        RegisterQuery query = new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of("a"));
        long generation = caller.register(query).getGeneration();
        caller.deregister("i", generation);
        caller.deregister("i", generation);

        HeartbeatResult late = caller.heartbeat(new LeaseRef("i", generation));
        assertThat(late.getUnknown()).hasSize(1);
        assertThatThrownBy(() -> caller.register(query.setGeneration(generation)))
                .isInstanceOf(StaleGeneration.class);
        assertThat(caller.allNames(10)).isEmpty();
        assertThat(caller.register(query.setGeneration(generation + 1)).getGeneration())
                .isEqualTo(generation + 1);
        assertThatThrownBy(() -> caller.deregister("i", generation)).isInstanceOf(StaleGeneration.class);
        caller.deregister("i", 0);
        assertThat(caller.allNames(10)).isEmpty();
    }

    @Test
    void leaseEndsWithoutHeartbeats() {
        caller.register(new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of("a")).setLeaseMillis(1));

        await().atMost(Duration.ofSeconds(10)).until(() -> caller.allNames(10).isEmpty());
        assertThat(caller.status().getInstances()).isZero();
    }

    @Test
    void operatorsWordStandsOverRegistrationsAndRestarts() {
        caller.register(instance("i", "s", "10.0.0.1", 80), "a");
        caller.setStatus("i", InstanceStatus.OUT_OF_SERVICE, "disk is failing");
        assertThatThrownBy(() -> caller.discover("s")).isInstanceOf(NoPeersAvailable.class);
        assertThat(caller.allNames(10)).containsExactly("a", "s");

        caller.deregister("i", 0);
        caller.register(instance("i", "s", "10.0.0.1", 80), "a");
        assertThatThrownBy(() -> caller.tagDiscover("a")).isInstanceOf(NoPeersAvailable.class);

        restart(Map.of());
        caller.register(instance("i", "s", "10.0.0.1", 80), "a");
        assertThatThrownBy(() -> caller.discover("s")).isInstanceOf(NoPeersAvailable.class);

        caller.setStatus("i", InstanceStatus.UP, null);
        assertThat(caller.discover("s")).hasSize(1);
        restart(Map.of());
        assertThatThrownBy(() -> caller.setStatus("i", InstanceStatus.DRAINING, null))
                .isInstanceOf(NotFound.class);
    }

    @Test
    void nodeKeepsItsIdAndAnswersForItself() {
        String id = node.id();
        assertThat(caller.owners("plain")).containsExactly(id);
        assertThat(caller.members(null)).singleElement().satisfies(member -> {
            assertThat(member.getId()).isEqualTo(id);
            assertThat(member.getAddress())
                    .isEqualTo("127.0.0.1:" + node.address().getPort());
            assertThat(member.getRingShare()).isEqualTo(1.0);
        });
        NodeStatus status = caller.status();
        assertThat(status.isReady()).isTrue();
        assertThat(status.getId()).isEqualTo(id);
        assertThat(status.getReplicas()).isEqualTo(1);

        restart(Map.of());
        assertThat(node.id()).isEqualTo(id);
    }

    @Test
    void callWhoseDeadlineHasPassedIsDropped() {
        RegisterQuery query = new RegisterQuery(instance("i", "s", "10.0.0.1", 80), List.of());
        assertThatThrownBy(() -> caller.register(query.setContext(new CallContext().setDeadlineMillis(0))))
                .isInstanceOfSatisfying(
                        Overloaded.class, error -> assertThat(error.signal()).isEqualTo(Signal.STOP));
        assertThat(refusedArgument(() -> caller.register(query.setContext(new CallContext().setDeadlineMillis(-1))))
                        .field())
                .isEqualTo("context.deadlineMillis");
        assertThatThrownBy(() -> caller.members(new CallContext().setDeadlineMillis(-1)))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("deadlineMillis");
        assertThat(caller.allNames(10)).isEmpty();
    }

    @Test
    void namesComeInPagesInTheOrderOfTheirBytes() {
        // In UTF-16 the second would come before the first.
        caller.register(instance("i", "s", "10.0.0.1", 80), "\uFF5E", "\uD83D\uDE00", "a", "b", "ab");

        ServiceNamesResult first = caller.serviceNames(new ServiceNamesQuery().setLimit(4));
        ServiceNamesResult second =
                caller.serviceNames(new ServiceNamesQuery().setLimit(4).setCursor(first.getNextCursor()));

        assertThat(first.getServiceNames()).containsExactly("a", "ab", "b", "s");
        assertThat(second.getServiceNames()).containsExactly("\uFF5E", "\uD83D\uDE00");
        assertThat(second.isSetNextCursor()).isFalse();
        assertThat(caller.serviceNames(new ServiceNamesQuery().setPrefix("a")).getServiceNames())
                .containsExactly("a", "ab");
    }

    @Test
    void answerThatWouldPassTheFrameIsRefusedAndPagesEndEarly() {
        restart(Map.of("rpc.frame-bytes", "65536"));
        for (int i = 0; i < 200; i++) {
            caller.register(
                    instance("i" + i, "s", "10.0.0.1", 80 + i).setMetadata(Map.of("note", "x".repeat(300))),
                    "t" + i,
                    "all");
        }

        assertThat(refusedArgument(() -> caller.tagDiscover("all")))
                .hasMessageContaining("fewer tags")
                .extracting(InvalidArgument::field)
                .isEqualTo("serviceTags");
        assertThatThrownBy(() -> caller.discover("s"))
                .isInstanceOfSatisfying(
                        Overloaded.class, error -> assertThat(error.signal()).isEqualTo(Signal.STOP));
        assertThat(caller.tagDiscover(new TagDiscoveryQuery(List.of("t1", "t2"))))
                .hasSize(2);

        String filler = "http://example.org/" + "y".repeat(8_000);
        for (int i = 0; i < 20; i++) {
            caller.register(new RegisterQuery(instance("keeper" + i, "s", "10.0.0.1", 80), List.of(filler + i)));
        }
        assertThat(caller.serviceNames(new ServiceNamesQuery()).isSetNextCursor())
                .isTrue();
        assertThat(caller.allNames(100_000)).hasSize(200 + 2 + 20).isSorted();
    }

    private static InvalidArgument refusedArgument(ThrowingCallable call) {
        return catchThrowableOfType(InvalidArgument.class, call);
    }
}
