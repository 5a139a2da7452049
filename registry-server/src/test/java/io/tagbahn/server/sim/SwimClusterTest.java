// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.swim.Effect;
import io.tagbahn.server.swim.HealConfig;
import io.tagbahn.server.swim.SwimConfig;
import io.tagbahn.server.swim.SwimCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of membership in simulated clusters; {@code -Dswim.seeds=N} runs more seeds than the few by default. */
class SwimClusterTest {

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("swim.seeds", 3));
    }

    private static List<String> deathsBesides(SwimCluster cluster, String... ids) {
        return cluster.deaths().stream()
                .filter(death -> !List.of(ids).contains(death.subject()))
                .map(Object::toString)
                .toList();
    }

    private static void assertAgreementWithin(SwimCluster cluster, Duration limit) {
        assertThat(cluster.time().runUntil(cluster::allAgree, limit))
                .as("%s: all agree within %s", cluster.seedText(), limit)
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void quietClusterSuspectsNobody(long seed) {
        for (int size : new int[] {2, 3, 20}) {
            SwimCluster cluster = SwimCluster.converged(seed, size);
            cluster.time().run(Duration.ofMinutes(3));
            assertThat(cluster.seen()).as(cluster.seedText()).isEmpty();
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        List<List<SimProcess.Seen>> runs = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            SwimCluster cluster = SwimCluster.converged(5, 8);
            cluster.network().quality(LinkQuality.GOOD.withLoss(0.2));
            cluster.node(3).crash();
            cluster.node(4).pause(Duration.ofSeconds(4));
            cluster.time().run(Duration.ofSeconds(20));
            runs.add(List.copyOf(cluster.seen()));
            bytes.add(cluster.network().bytes());
        }
        assertThat(runs.get(0)).isNotEmpty().isEqualTo(runs.get(1));
        assertThat(bytes.get(0)).isEqualTo(bytes.get(1));
    }

    /** Of a process that was killed, its host tells; of a host that vanished, nothing does. */
    @ParameterizedTest
    @CsvSource({"3, false, 4", "5, false, 4", "20, false, 4", "100, false, 6", "5, true, 7", "20, true, 7"})
    void crashIsSeenByAllWithinItsBound(int size, boolean withHost, int seconds) {
        SwimCluster cluster = SwimCluster.converged(size, size);
        for (int trial = 1; trial <= 6; trial++) {
            int victim = trial % (size - 1) + 1;
            SimProcess process = cluster.node(victim);
            cluster.forgetSeen();
            if (withHost) {
                process.vanish();
            } else {
                process.crash();
            }
            assertThat(cluster.time()
                            .runUntil(
                                    () -> cluster.allThink(process.id(), MemberState.DEAD),
                                    Duration.ofSeconds(seconds)))
                    .as("%s: crash of %s seen by %d", cluster.seedText(), process.id(), size)
                    .isTrue();
            assertThat(deathsBesides(cluster, process.id()))
                    .as(cluster.seedText())
                    .isEmpty();
            cluster.start(victim, 0);
            assertAgreementWithin(cluster, Duration.ofSeconds(3));
            cluster.time().run(Duration.ofMillis(1_000 + 137L * trial));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void memberThatWakesAfterFiveSecondsBuriesNoHealthyOne(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        for (int trial = 0; trial < 10; trial++) {
            cluster.forgetSeen();
            SimProcess sleeper = cluster.node(trial % 5);
            sleeper.pause(Duration.ofSeconds(5));
            cluster.time().run(Duration.ofSeconds(8));
            assertThat(deathsBesides(cluster, sleeper.id()))
                    .as(cluster.seedText())
                    .isEmpty();
            assertAgreementWithin(cluster, Duration.ofSeconds(1));
        }
    }

    /** FF-33: a node that is frozen in bursts blames no healthy one. */
    @ParameterizedTest
    @MethodSource("seeds")
    void memberFrozenInBurstsBuriesNoHealthyOne(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        SimProcess frozen = cluster.node(2);
        for (int burst = 0; burst < 60; burst++) {
            frozen.pause(Duration.ofMillis(1_500));
            cluster.time().run(Duration.ofSeconds(3));
        }
        frozen.pause(Duration.ofSeconds(40));
        cluster.time().run(Duration.ofSeconds(45));
        assertThat(deathsBesides(cluster, frozen.id())).as(cluster.seedText()).isEmpty();
        assertAgreementWithin(cluster, Duration.ofSeconds(3));
    }

    /** Runs for 1 to 40 ms, then waits for 50 to 600 ms for its turn, again and again. */
    private static void starve(SwimCluster cluster, SimProcess process, long untilNanos) {
        if (cluster.time().nowNanos() < untilNanos) {
            Duration waits = Duration.ofMillis(50 + cluster.random().nextInt(550));
            process.pause(waits);
            cluster.time()
                    .after(
                            waits.plusMillis(1 + cluster.random().nextInt(40)),
                            () -> starve(cluster, process, untilNanos));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void memberStarvedOfCpuIsNotRemovedAndRemovesNobody(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        starve(
                cluster,
                cluster.node(3),
                cluster.time().nowNanos() + Duration.ofSeconds(60).toNanos());
        cluster.time().run(Duration.ofSeconds(62));
        assertThat(deathsBesides(cluster)).as(cluster.seedText()).isEmpty();
        assertAgreementWithin(cluster, Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void thirtyJoinWhileTheCpuIsStarved(long seed) {
        SwimCluster cluster = new SwimCluster(seed);
        for (int i = 0; i < 30; i++) {
            SimProcess process = cluster.start(i, 0);
            starve(cluster, process, Duration.ofSeconds(10).toNanos());
        }
        assertAgreementWithin(cluster, Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fiftyThatJoinAtOnceConvergeWithinFiveSeconds(long seed) {
        SwimCluster cluster = new SwimCluster(seed);
        for (int i = 0; i < 50; i++) {
            cluster.start(i, 0);
        }
        assertAgreementWithin(cluster, Duration.ofSeconds(5));
        assertThat(cluster.deaths()).as(cluster.seedText()).isEmpty();
    }

    @Test
    void manyThatJoinAtOnceConverge() {
        int size = Integer.getInteger("swim.large", 150);
        SwimCluster cluster = new SwimCluster(size);
        for (int i = 0; i < size; i++) {
            cluster.start(i, 0);
        }
        assertAgreementWithin(cluster, Duration.ofSeconds(20));
        cluster.forgetSeen();
        cluster.time().run(Duration.ofSeconds(10));
        assertThat(cluster.seen()).as(cluster.seedText()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void lossDuplicatesAndReorderingKillNobody(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 10);
        cluster.network()
                .quality(LinkQuality.GOOD
                        .withLoss(0.15)
                        .withDuplicates(0.1)
                        .withDelay(Duration.ofMillis(1), Duration.ofMillis(60)));
        cluster.time().run(Duration.ofSeconds(60));
        assertThat(cluster.deaths()).as(cluster.seedText()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void halvesPartedForAMinuteMergeWithinFifteenSeconds(long seed) {
        for (int size : new int[] {2, 5, 12}) {
            SwimCluster cluster = SwimCluster.converged(seed, size);
            for (int i = size / 2; i < size; i++) {
                cluster.network().side(SwimCluster.address(i), 1);
            }
            cluster.time().run(Duration.ofSeconds(60));
            assertThat(cluster.node(0).machine().liveMembers()).isEqualTo(size / 2);
            cluster.network().heal();
            assertAgreementWithin(cluster, Duration.ofSeconds(15));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void halvesMergeWithTheOnlySeedDead(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 9);
        for (int i = 5; i < 9; i++) {
            cluster.network().side(SwimCluster.address(i), 1);
        }
        cluster.node(0).crash();
        cluster.time().run(Duration.ofSeconds(60));
        cluster.network().heal();
        assertAgreementWithin(cluster, Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nodesThatCannotReachEachOtherLiveAsLongAsAThirdVouches(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 3);
        cluster.network().cut(SwimCluster.address(0), SwimCluster.address(2));
        cluster.time().run(Duration.ofMinutes(2));
        assertThat(cluster.deaths()).as(cluster.seedText()).isEmpty();
        // What one of the two says reaches the other by way of the third.
        cluster.node(0).announce(Map.of("said", "something"));
        assertThat(cluster.time()
                        .runUntil(
                                () -> cluster.node(2)
                                        .machine()
                                        .member("n0")
                                        .orElseThrow()
                                        .record()
                                        .metadata()
                                        .containsKey("said"),
                                Duration.ofSeconds(2)))
                .as(cluster.seedText())
                .isTrue();
    }

    /** FF-02: a node changes what it says of itself, and leaves. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nodeThatLeavesAfterAChangeIsDroppedByItsIdAndNotProbedAgain(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        SimProcess leaver = cluster.node(4);
        leaver.announce(Map.of("version", "2"));
        leaver.leave();
        assertThat(cluster.time().runUntil(() -> cluster.allThink("n4", MemberState.LEFT), Duration.ofMillis(200)))
                .as(cluster.seedText())
                .isTrue();
        assertThat(cluster.time().runUntil(() -> !leaver.running(), Duration.ofSeconds(2)))
                .as("%s: it stops when the news is spread", cluster.seedText())
                .isTrue();
        cluster.time().run(Duration.ofSeconds(2));
        long before = cluster.network().sentTo(SwimCluster.address(4));
        cluster.time().run(Duration.ofMinutes(2));
        assertThat(cluster.network().sentTo(SwimCluster.address(4)))
                .as(cluster.seedText())
                .isEqualTo(before);
        assertThat(cluster.seen())
                .as(cluster.seedText())
                .extracting(SimProcess.Seen::state)
                .doesNotContain(MemberState.SUSPECT, MemberState.DEAD);
    }

    /** FF-05: 60 nodes of one run each pass through a cluster of three, one of which sleeps half of the time. */
    @Test
    void deadMembersAreForgottenAndNoStragglerRevivesThem() {
        SwimConfig usual = SwimConfig.defaults("simulated");
        HealConfig heal = new HealConfig(
                Duration.ofSeconds(3), 4, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofHours(24), 4_096);
        SwimCluster cluster = new SwimCluster(
                8,
                new SwimConfig(
                        usual.cluster(),
                        usual.probe(),
                        usual.suspicion(),
                        usual.gossip(),
                        usual.exchange(),
                        usual.join(),
                        heal,
                        usual.membersMax()));
        for (int i = 0; i < 3; i++) {
            cluster.start(i, 0);
        }
        cluster.time().run(Duration.ofSeconds(5));
        for (int i = 10; i < 70; i++) {
            SimProcess passing = cluster.start(i, 0);
            cluster.time().run(Duration.ofSeconds(3));
            passing.crash();
            if (i % 10 == 0) {
                cluster.node(2).pause(Duration.ofSeconds(25));
            }
            cluster.time().run(Duration.ofSeconds(2));
        }
        cluster.node(2).pause(Duration.ofSeconds(90));
        cluster.time().run(Duration.ofSeconds(90));
        // Whom the others forgot the straggler still held for alive when it fell asleep.
        cluster.time().run(Duration.ofSeconds(90));
        for (int i = 0; i < 3; i++) {
            assertThat(cluster.node(i).machine().members())
                    .as("%s: members of n%d", cluster.seedText(), i)
                    .hasSize(3)
                    .allMatch(member -> member.state() == MemberState.ALIVE);
        }
        cluster.forgetSeen();
        long before = cluster.network().bytes();
        cluster.time().run(Duration.ofSeconds(30));
        assertThat(cluster.seen()).as(cluster.seedText()).isEmpty();
        assertThat(cluster.network().bytes() - before).as("bytes in 30 s").isLessThan(3 * 30 * 1_000L);
    }

    /** FF-14: the others hold it dead at a higher incarnation than it begins with. */
    @ParameterizedTest
    @MethodSource("seeds")
    void restartWithALowIncarnationIsTakenBack(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        for (int i = 0; i < 5; i++) {
            cluster.node(3).pause(Duration.ofSeconds(4));
            cluster.time().run(Duration.ofSeconds(6));
        }
        assertThat(cluster.disk(3).incarnation()).isGreaterThan(2);
        cluster.node(3).crash();
        cluster.disk(3).wipe();
        assertThat(cluster.time().runUntil(() -> cluster.allThink("n3", MemberState.DEAD), Duration.ofSeconds(5)))
                .isTrue();
        cluster.start(3, 0);
        assertAgreementWithin(cluster, Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void allRestartedTogetherFindEachOther(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        cluster.time().run(Duration.ofSeconds(15));
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4));
        Collections.shuffle(order, new Random(seed));
        order.forEach(number -> cluster.node(number).crash());
        for (int number : order) {
            cluster.start(number, 0);
            cluster.time().run(Duration.ofMillis(cluster.random().nextInt(400)));
        }
        assertAgreementWithin(cluster, Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anotherIdAtTheAddressOfADeadNodeTakesItsPlace(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        cluster.node(2).crash();
        cluster.start("other", SwimCluster.address(2), new SimDisk(), 0);
        assertThat(cluster.time()
                        .runUntil(
                                () -> cluster.allThink("other", MemberState.ALIVE)
                                        && cluster.allThink("n2", MemberState.DEAD),
                                Duration.ofSeconds(6)))
                .as(cluster.seedText())
                .isTrue();
        assertThat(deathsBesides(cluster, "n2")).as(cluster.seedText()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sameIdAtAnotherAddressIsTakenUpWhenTheOldOneIsDead(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 5);
        cluster.node(2).crash();
        cluster.start("n2", SwimCluster.address(77), cluster.disk(2), 0);
        assertAgreementWithin(cluster, Duration.ofSeconds(8));
        assertThat(cluster.node(0).machine().member("n2").orElseThrow().record().gossip())
                .isEqualTo(SwimCluster.address(77));
    }

    /** FF-23: the first to hold an id keeps it; the second is told, and joins when the first is gone. */
    @ParameterizedTest
    @MethodSource("seeds")
    void anIdHeldByALiveMemberIsRefused(long seed) {
        for (boolean copiedDisk : new boolean[] {false, true}) {
            SwimCluster cluster = SwimCluster.converged(seed, 4);
            SimProcess first = cluster.node(2);
            HostPort elsewhere = SwimCluster.address(88);
            SimProcess second = cluster.start("n2", elsewhere, copiedDisk ? cluster.disk(2) : new SimDisk(), 0);
            cluster.time().run(Duration.ofSeconds(20));
            assertThat(second.notable())
                    .as(cluster.seedText())
                    .contains(new Effect.IdentityTaken(SwimCluster.address(2), false));
            assertThat(second.machine().joined()).isFalse();
            for (int i : new int[] {0, 1, 3}) {
                assertThat(cluster.node(i).thinksOf("n2")).isEqualTo(MemberState.ALIVE);
                assertThat(cluster.node(i)
                                .machine()
                                .member("n2")
                                .orElseThrow()
                                .record()
                                .gossip())
                        .as(cluster.seedText())
                        .isEqualTo(SwimCluster.address(2));
            }
            assertThat(cluster.deaths()).as(cluster.seedText()).isEmpty();
            first.crash();
            assertAgreementWithin(cluster, Duration.ofSeconds(10));
            assertThat(second.machine().joined()).isTrue();
        }
    }

    /** An id taken over in one half while the other half still had its holder: one of the two steps down. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whenHalvesWithOneIdMeetOneHolderStepsDown(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 6);
        SimProcess first = cluster.node(5);
        for (int i = 3; i < 6; i++) {
            cluster.network().side(SwimCluster.address(i), 1);
        }
        cluster.time().run(Duration.ofSeconds(20));
        SimProcess second = cluster.start("n5", SwimCluster.address(99), new SimDisk(), 0);
        assertThat(cluster.time().runUntil(second.machine()::joined, Duration.ofSeconds(5)))
                .as(cluster.seedText())
                .isTrue();
        cluster.time().run(Duration.ofSeconds(5));
        cluster.network().heal();
        assertThat(cluster.time().runUntil(() -> stoppedOne(first, second), Duration.ofSeconds(60)))
                .as("%s: one stepped down", cluster.seedText())
                .isTrue();
        SimProcess stopped = second.machine().joined() ? first : second;
        stopped.crash();
        assertAgreementWithin(cluster, Duration.ofSeconds(20));
    }

    private static boolean stoppedOne(SimProcess first, SimProcess second) {
        return first.machine().joined() != second.machine().joined();
    }

    /** Anything may happen for a while; when it ends, those that live agree. */
    @ParameterizedTest
    @MethodSource("seeds")
    void afterAnyFaultsAllThatLiveAgree(long seed) {
        SwimCluster cluster = SwimCluster.converged(seed, 9);
        for (int i = 0; i < 60; i++) {
            fault(cluster);
            cluster.time().run(Duration.ofMillis(cluster.random().nextInt(2_000)));
        }
        cluster.network().heal();
        cluster.network().quality(LinkQuality.GOOD);
        assertAgreementWithin(cluster, Duration.ofSeconds(40));
        cluster.forgetSeen();
        cluster.time().run(Duration.ofSeconds(40));
        assertThat(deathsBesides(cluster)).as(cluster.seedText()).isEmpty();
        assertThat(cluster.running())
                .allSatisfy(process -> assertThat(process.machine().count(SwimCounter.BAD_MESSAGES))
                        .isZero());
    }

    private static void fault(SwimCluster cluster) {
        int number = cluster.random().nextInt(9);
        SimProcess process = cluster.node(number);
        HostPort other = SwimCluster.address(cluster.random().nextInt(9));
        switch (cluster.random().nextInt(10)) {
            case 0 -> process.crash();
            case 1 -> process.pause(Duration.ofMillis(cluster.random().nextInt(8_000)));
            case 2 -> cluster.network().cut(SwimCluster.address(number), other);
            case 3 -> cluster.network().cutOneWay(SwimCluster.address(number), other);
            case 4 -> cluster.network().side(SwimCluster.address(number), 1);
            case 5 -> cluster.network().heal();
            case 6 ->
                cluster.network()
                        .quality(LinkQuality.GOOD.withLoss(cluster.random().nextDouble() * 0.4));
            case 7 -> process.leave();
            case 8 -> process.stepClock(Duration.ofMillis(cluster.random().nextInt(5_000)));
            default ->
                process.announce(Map.of("at", String.valueOf(cluster.time().nowNanos())));
        }
        if (!process.running() && cluster.random().nextBoolean()) {
            cluster.start(number, 0, (number + 1) % 9);
        }
    }
}
