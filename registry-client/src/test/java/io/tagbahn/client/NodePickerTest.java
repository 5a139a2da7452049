// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.client.KnownNode.Health;
import io.tagbahn.model.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodePickerTest {

    private static final Duration EJECTED = Duration.ofSeconds(2);
    private static final Duration EJECTED_MAX = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofMillis(1);

    private final SteppedTimer timer = new SteppedTimer();
    private final Map<HostPort, InMemoryNode> made = new HashMap<>();

    private NodePicker picker(long seed, int... distances) {
        return new NodePicker(
                addresses(distances),
                address -> made.computeIfAbsent(address, each -> node(each, seed)),
                EJECTED,
                EJECTED_MAX,
                timer,
                new SplittableRandom(seed));
    }

    private InMemoryNode node(HostPort address, long seed) {
        int number = Integer.parseInt(address.host().toString().substring(7));
        return new InMemoryNode(number, new InMemoryRegistry(timer), timer, new SplittableRandom(seed));
    }

    private InMemoryNode made(int number) {
        return Objects.requireNonNull(made.get(address(number)));
    }

    private static HostPort address(int number) {
        return HostPort.parse("10.0.0." + number + ":21300");
    }

    private static Map<HostPort, Integer> addresses(int... distances) {
        Map<HostPort, Integer> addresses = new LinkedHashMap<>();
        for (int i = 0; i < distances.length; i++) {
            addresses.put(address(i + 1), distances[i]);
        }
        return addresses;
    }

    private static NodePicker.Pick pick(NodePicker picker) {
        return picker.pick(List.of(), Optional.empty());
    }

    private static KnownNode node(NodePicker picker, int number) {
        return picker.nodes().stream()
                .filter(known -> known.node().address().equals(address(number)))
                .findFirst()
                .orElseThrow();
    }

    private NodePicker.Pick pickOf(NodePicker picker, int number) {
        return picker.pick(List.of(), Optional.of(node(picker, number)));
    }

    private void eject(NodePicker picker, int number) {
        NodePicker.Pick pick = pickOf(picker, number);
        timer.run(TICK);
        pick.gone();
    }

    private Map<HostPort, Integer> counts(NodePicker picker, int picks, Duration... latencies) {
        Map<HostPort, Integer> counts = new HashMap<>();
        for (int i = 0; i < picks; i++) {
            NodePicker.Pick pick = pick(picker);
            counts.merge(pick.node().address(), 1, Integer::sum);
            int number =
                    Integer.parseInt(pick.node().address().host().toString().substring(7));
            timer.run(latencies.length == 0 ? TICK : latencies[number - 1]);
            pick.answered();
        }
        return counts;
    }

    // ------------------------------------------------------------ load and nearness

    @Test
    void equalNodesGetEqualShares() {
        Map<HostPort, Integer> counts = counts(picker(1, 3, 3, 3, 3, 3), 10_000);
        assertThat(counts.values()).hasSize(5).allMatch(count -> count > 1_800 && count < 2_200);
    }

    @Test
    void freshClientsDoNotAllBeginWithTheSameNode() {
        Map<HostPort, Integer> firsts = new HashMap<>();
        for (int client = 0; client < 200; client++) {
            firsts.merge(
                    pick(picker(client, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3)).node().address(), 1, Integer::sum);
        }
        assertThat(firsts.values()).hasSize(10).allMatch(count -> count <= 50);
    }

    @Test
    void theSlowerOfTwoIsSpared() {
        Duration slow = Duration.ofMillis(20);
        Map<HostPort, Integer> counts = counts(picker(2, 3, 3, 3), 3_000, TICK, slow, TICK);
        assertThat(counts.getOrDefault(address(2), 0)).isLessThan(300);
        assertThat(counts.get(address(2))).as("it is tried now and then").isPositive();
    }

    @Test
    void nodesWithCallsPendingAreSpared() {
        NodePicker picker = picker(3, 3, 3, 3);
        for (int i = 0; i < 300; i++) {
            assertThat(pick(picker)).isNotNull();
        }
        assertThat(picker.nodes()).allMatch(known -> known.pending() >= 98 && known.pending() <= 102);
    }

    @Test
    void nearNodesComeFirstAndGiveWayWhenAFurtherOneCostsLessThanHalf() {
        NodePicker picker = picker(4, 1, 1, 3, 3);
        for (int i = 0; i < 100; i++) {
            NodePicker.Pick pick = pick(picker);
            assertThat(pick.known().distance()).isEqualTo(1);
            timer.run(TICK);
            pick.answered();
        }
        List<NodePicker.Pick> pending = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            pending.add(pick(picker));
        }
        long near =
                pending.stream().filter(pick -> pick.known().distance() == 1).count();
        assertThat(near).as("twice as many, at equal latency").isBetween(390L, 410L);
    }

    // ------------------------------------------------------------ ejection and probes

    @Test
    void ejectionGrowsWithEachFailedProbeAndIsForgottenAfterALongTimeOfHealth() {
        NodePicker picker = picker(5, 3, 3);
        eject(picker, 1);
        for (int i = 0; i < 8; i++) {
            long most = Math.min(EJECTED_MAX.toMillis(), EJECTED.toMillis() << i);
            timer.run(Duration.ofMillis(most * 4 / 5 - 2));
            assertThat(node(picker, 1).health(timer.getAsLong()))
                    .as("ejection " + i)
                    .isEqualTo(Health.EJECTED);
            timer.run(Duration.ofMillis(most / 5 + 2));
            NodePicker.Pick probe = pick(picker);
            assertThat(probe.node().address()).isEqualTo(address(1));
            probe.gone();
        }
        timer.run(EJECTED_MAX);
        pick(picker).answered();
        assertThat(node(picker, 1).health(timer.getAsLong())).isEqualTo(Health.FINE);
        timer.run(EJECTED_MAX);
        eject(picker, 1);
        timer.run(EJECTED);
        assertThat(node(picker, 1).health(timer.getAsLong())).isEqualTo(Health.PROBE_DUE);
        assertThat(picker.ejections()).isEqualTo(10);
    }

    @Test
    void aSingleCallProbes() {
        NodePicker picker = picker(6, 3, 3, 3);
        eject(picker, 1);
        timer.run(EJECTED);
        NodePicker.Pick probe = pick(picker);
        assertThat(probe.node().address()).isEqualTo(address(1));
        for (int i = 0; i < 100; i++) {
            assertThat(pick(picker).node().address()).isNotEqualTo(address(1));
        }
        probe.answered();
        assertThat(node(picker, 1).health(timer.getAsLong())).isEqualTo(Health.FINE);
    }

    @Test
    void probesOfWhichNothingIsHeardGiveTheirSlotBackInAThousandTrials() {
        for (int seed = 0; seed < 1_000; seed++) {
            NodePicker picker = picker(seed, 3, 3, 3);
            SplittableRandom random = new SplittableRandom(seed);
            eject(picker, 1);
            timer.run(EJECTED);
            for (int probes = random.nextInt(5); probes > 0; probes--) {
                NodePicker.Pick probe = pick(picker);
                assertThat(probe.node().address()).as("seed " + seed).isEqualTo(address(1));
                switch (random.nextInt(4)) {
                    case 0 -> timer.run(NodePicker.PROBE_LAPSES_AFTER); // never ends
                    case 1 -> {
                        timer.run(Duration.ofMillis(500));
                        probe.silent();
                        timer.run(EJECTED_MAX);
                    }
                    case 2 -> {
                        probe.gone();
                        probe.gone(); // ends once
                        timer.run(EJECTED_MAX);
                    }
                    default -> {
                        probe.silent(); // at once: says nothing
                        timer.run(NodePicker.PROBE_LAPSES_AFTER);
                    }
                }
            }
            NodePicker.Pick last = pick(picker);
            assertThat(last.node().address()).as("seed " + seed).isEqualTo(address(1));
            last.answered();
            assertThat(node(picker, 1).health(timer.getAsLong()))
                    .as("seed " + seed)
                    .isEqualTo(Health.FINE);
        }
    }

    @Test
    void manyFailuresOfCallsThatWereUnderWayTogetherEjectOnce() {
        NodePicker picker = picker(7, 3);
        List<NodePicker.Pick> underWay = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            underWay.add(pick(picker));
        }
        timer.run(TICK);
        underWay.forEach(NodePicker.Pick::gone);
        assertThat(picker.ejections()).isEqualTo(1);
        timer.run(EJECTED);
        assertThat(node(picker, 1).health(timer.getAsLong())).isEqualTo(Health.PROBE_DUE);
    }

    @Test
    void anAnswerToWhatWasSentBeforeTheEjectionDoesNotEndIt() {
        NodePicker picker = picker(8, 3, 3);
        NodePicker.Pick early = pickOf(picker, 1);
        timer.run(TICK);
        eject(picker, 1);
        early.answered();
        assertThat(node(picker, 1).health(timer.getAsLong())).isEqualTo(Health.EJECTED);
    }

    @Test
    void noMoreThanHalfAreEjectedForNotAnsweringInTime() {
        NodePicker picker = picker(9, 3, 3, 3, 3, 3);
        for (int i = 0; i < 200; i++) {
            NodePicker.Pick pick = pick(picker);
            timer.run(Duration.ofMillis(100));
            pick.silent();
        }
        long now = timer.getAsLong();
        assertThat(picker.nodes().stream().filter(known -> known.health(now) != Health.FINE))
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void theOnlyNodeIsNotEjectedForNotAnsweringInTime() {
        NodePicker picker = picker(10, 3);
        NodePicker.Pick pick = pick(picker);
        timer.run(Duration.ofSeconds(1));
        pick.silent();
        assertThat(picker.ejections()).isZero();
    }

    @Test
    void whereAllAreEjectedTheyAreAskedInTurn() {
        NodePicker picker = picker(11, 3, 3, 3);
        for (int number = 1; number <= 3; number++) {
            eject(picker, number);
        }
        Map<HostPort, Integer> counts = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            NodePicker.Pick pick = pick(picker);
            counts.merge(pick.node().address(), 1, Integer::sum);
            pick.gone();
        }
        assertThat(counts.values()).containsExactly(10, 10, 10);
    }

    @Test
    void busyNodesComeLastForAsLongAsTheyAskFor() {
        NodePicker picker = picker(12, 3, 3);
        pickOf(picker, 1).busy(Duration.ofMillis(300));
        for (int i = 0; i < 20; i++) {
            assertThat(pick(picker).node().address()).isEqualTo(address(2));
        }
        timer.run(Duration.ofMillis(300));
        assertThat(node(picker, 1).health(timer.getAsLong())).isEqualTo(Health.FINE);
    }

    @Test
    void seriesStayWithTheirNodeUntilItFails() {
        NodePicker picker = picker(13, 3, 3, 3);
        KnownNode mine = node(picker, 2);
        for (int i = 0; i < 20; i++) {
            assertThat(picker.pick(List.of(), Optional.of(mine)).known()).isSameAs(mine);
        }
        assertThat(picker.pick(List.of(mine), Optional.of(mine)).known()).isNotSameAs(mine);
        NodePicker.Pick failing = picker.pick(List.of(), Optional.of(mine));
        timer.run(TICK);
        failing.gone();
        assertThat(picker.pick(List.of(), Optional.of(mine)).known()).isNotSameAs(mine);
    }

    // ------------------------------------------------------------ nodes that come and go

    @Test
    void whatIsKnownOfNodesThatStayIsKept() {
        NodePicker picker = picker(14, 3, 3);
        eject(picker, 1);
        KnownNode before = node(picker, 1);
        picker.set(addresses(3, 3, 3));
        assertThat(node(picker, 1)).isSameAs(before);
        assertThat(before.health(timer.getAsLong())).isEqualTo(Health.EJECTED);
        assertThat(picker.size()).isEqualTo(3);
    }

    @Test
    void nodesThatLeaveAreClosedOnceTheirCallsHaveEnded() {
        NodePicker picker = picker(15, 3, 3);
        NodePicker.Pick pending = pickOf(picker, 2);
        picker.set(addresses(3));
        assertThat(made(2).down).isFalse();
        pending.answered();
        assertThat(made(2).down).isTrue();
        assertThat(made(1).down).isFalse();
    }

    @Test
    void aListWithoutNodesChangesNothing() {
        NodePicker picker = picker(16, 3, 3);
        picker.set(Map.of());
        assertThat(picker.size()).isEqualTo(2);
    }

    @Test
    void closingClosesAlsoThoseThatHaveLeftWithCallsPending() {
        NodePicker picker = picker(17, 3, 3);
        pickOf(picker, 2);
        picker.set(addresses(3));
        picker.closeAll();
        assertThat(made.values()).allMatch(node -> node.down);
        picker.set(addresses(3, 3, 3));
        assertThat(picker.size()).as("closed").isEqualTo(1);
    }
}
