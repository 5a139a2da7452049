// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Member;
import io.tagbahn.model.MemberState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeFollowerTest {

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Locality HERE = zone("a");

    private final SteppedTimer timer = new SteppedTimer();
    private final SplittableRandom random = new SplittableRandom(21);
    private final InMemoryRegistry registry = new InMemoryRegistry(timer);
    private final Map<HostPort, InMemoryNode> there = new LinkedHashMap<>();
    private final List<Member> members = new ArrayList<>();
    private boolean used = true;

    private static Locality zone(String zone) {
        return new Locality(Optional.empty(), Optional.of(zone), Optional.empty());
    }

    private InMemoryNode node(int number) {
        return there.computeIfAbsent(HostPort.parse("10.0.0." + number + ":21300"), address -> {
            InMemoryNode node = new InMemoryNode(number, registry, timer, random.split());
            node.members = () -> List.copyOf(members);
            return node;
        });
    }

    private InMemoryNode at(HostPort address) {
        return Objects.requireNonNull(there.get(address));
    }

    private void join(int number, MemberState state, Locality place) {
        leave(number);
        members.add(new Member("node-" + number, node(number).address(), state, 1, place, OptionalDouble.empty()));
    }

    private void leave(int number) {
        members.removeIf(member -> member.id().equals("node-" + number));
    }

    private NodePicker follow(NodesConfig config, int... given) {
        RegistryClientConfig all = RegistryClientConfig.defaults()
                .withRegistries(IntStream.of(given)
                        .mapToObj(each -> node(each).address())
                        .toList())
                .withNodes(config);
        Map<HostPort, Integer> addresses = new LinkedHashMap<>();
        all.registries().forEach(address -> addresses.put(address, 3));
        NodePicker picker = new NodePicker(
                addresses, this::at, Duration.ofSeconds(2), Duration.ofSeconds(30), timer, random.split());
        CallGuard guard =
                new CallGuard(picker, all.call(), all.context(), timer, timer, random.split(), new CallTally());
        Loops loops = new Loops(guard, timer, timer, random.split(), () -> false);
        // What is made for a proof is closed after it: that must not close the node of the test.
        new NodeFollower(loops, picker, all, address -> new ProofNode(at(address)), () -> used).start();
        return picker;
    }

    private NodePicker follow(int... given) {
        return follow(NodesConfig.defaults().withHere(HERE).withRefreshEvery(EVERY), given);
    }

    private static List<Integer> numbers(NodePicker picker) {
        return picker.nodes().stream()
                .map(known -> Integer.parseInt(
                        known.node().address().host().toString().substring(7)))
                .sorted()
                .toList();
    }

    @Test
    void nodesThatJoinAreLearntOfAndThoseThatLeaveForgotten() {
        join(1, MemberState.ALIVE, zone("b"));
        join(2, MemberState.ALIVE, zone("b"));
        NodePicker picker = follow(1);
        timer.run(EVERY);
        assertThat(numbers(picker)).containsExactly(1, 2);
        join(3, MemberState.ALIVE, zone("b"));
        join(4, MemberState.JOINING, zone("b"));
        timer.run(EVERY.multipliedBy(2));
        assertThat(numbers(picker)).containsExactly(1, 2, 3);
        leave(2);
        join(3, MemberState.SUSPECT, zone("b"));
        timer.run(EVERY.multipliedBy(2));
        assertThat(numbers(picker)).as("one that is suspected stays").containsExactly(1, 3);
        join(3, MemberState.DEAD, zone("b"));
        timer.run(EVERY.multipliedBy(2));
        assertThat(numbers(picker)).containsExactly(1);
    }

    @Test
    void givenAddressesStayWhateverTheRegistrySays() {
        join(2, MemberState.ALIVE, zone("b"));
        join(3, MemberState.ALIVE, zone("b"));
        node(1).id = "node-2"; // another address of the same node
        NodePicker picker = follow(1);
        timer.run(EVERY);
        assertThat(numbers(picker)).as("no node is there twice").containsExactly(1, 3);
        members.clear();
        timer.run(EVERY.multipliedBy(3));
        assertThat(numbers(picker)).as("an answer without members says nothing").containsExactly(1, 3);
    }

    @Test
    void addressesThatCannotBeReachedOrLeadToSomebodyElseAreNotUsed() {
        for (int number = 1; number <= 4; number++) {
            join(number, MemberState.ALIVE, zone("b"));
        }
        node(2).down = true;
        node(3).id = "stranger";
        NodePicker picker = follow(1);
        timer.run(EVERY);
        assertThat(numbers(picker)).containsExactly(1, 4);
        node(2).down = false;
        timer.run(EVERY.multipliedBy(2));
        assertThat(numbers(picker)).containsExactly(1, 2, 4);
    }

    @Test
    void theNearestAreTakenWhereThereAreMoreThanMayBe() {
        for (int number = 1; number <= 30; number++) {
            join(number, MemberState.ALIVE, zone(number > 20 ? "a" : "b"));
        }
        NodePicker picker = follow(
                NodesConfig.defaults().withHere(HERE).withRefreshEvery(EVERY).withNodesMax(8), 1);
        timer.run(EVERY);
        assertThat(numbers(picker))
                .hasSize(8)
                .contains(1)
                .filteredOn(number -> number > 20)
                .hasSize(7);
        List<Integer> before = numbers(picker);
        timer.run(EVERY.multipliedBy(5));
        assertThat(numbers(picker)).as("and stay").isEqualTo(before);
        assertThat(picker.nodes().get(0).distance()).isEqualTo(1);
    }

    @Test
    void nothingIsSentBeforeTheFirstCall() {
        join(1, MemberState.ALIVE, zone("b"));
        used = false;
        follow(1);
        timer.run(Duration.ofMinutes(5));
        assertThat(node(1).calls).isEmpty();
        used = true;
        timer.run(EVERY);
        assertThat(node(1).calls).isNotEmpty();
    }

    @Test
    void afterAFailureTheRegistryIsAskedAgain() {
        join(1, MemberState.ALIVE, zone("b"));
        join(2, MemberState.ALIVE, zone("b"));
        node(1).down = true;
        NodePicker picker = follow(1);
        timer.run(Duration.ofMinutes(1));
        assertThat(numbers(picker)).containsExactly(1);
        node(1).down = false;
        timer.run(EVERY);
        assertThat(numbers(picker)).containsExactly(1, 2);
    }
}
