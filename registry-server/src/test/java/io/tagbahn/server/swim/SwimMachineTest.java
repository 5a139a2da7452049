// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One machine, told by hand what others say. */
class SwimMachineTest {

    private static final String CLUSTER = "c";
    private static final long MILLI = 1_000_000;

    private final SwimMachine machine = new SwimMachine(
            SwimConfig.defaults(CLUSTER),
            MemberTableTest.node("self", 1),
            5,
            List.of(),
            List.of(),
            new SplittableRandom(1),
            0);
    private long now;

    @BeforeEach
    void startAlone() {
        assertThat(machine.start(0)).contains(new Effect.PersistIncarnation(5), new Effect.Joined(true));
        for (String id : List.of("a", "b", "d")) {
            hear(id, new Claim.Alive(node(id), 3));
        }
        assertThat(machine.liveMembers()).isEqualTo(4);
    }

    private static NodeRecord node(String id) {
        return MemberTableTest.node(id, 100 + id.charAt(0));
    }

    private static HostPort address(String id) {
        return node(id).gossip();
    }

    private List<Effect> hear(String sender, Message... messages) {
        return hearIn(CLUSTER, sender, messages);
    }

    private List<Effect> hearIn(String cluster, String sender, Message... messages) {
        WireWriter out = new WireWriter().raw(PacketCodec.header(cluster, sender));
        for (Message message : messages) {
            out.raw(PacketCodec.encode(message));
        }
        return machine.datagram(address(sender), out.bytes(), now);
    }

    private static List<Message> sentTo(String id, List<Effect> effects) {
        List<Message> messages = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send && send.to().equals(address(id))) {
                messages.addAll(
                        PacketCodec.decode(send.datagram()).orElseThrow().messages());
            }
        }
        return messages;
    }

    private MemberState stateOf(String id) {
        return machine.member(id).orElseThrow().state();
    }

    /** Ticks whenever it is due; others stay silent but for what {@code answering} says. */
    private List<Effect> passTime(long millis, String... answering) {
        List<Effect> effects = new ArrayList<>();
        long end = now + millis * MILLI;
        while (machine.nextTickNanos() <= end) {
            now = Math.max(now, machine.nextTickNanos());
            List<Effect> ticked = machine.tick(now);
            effects.addAll(ticked);
            for (String id : answering) {
                for (Message message : sentTo(id, ticked)) {
                    if (message instanceof Message.Ping ping) {
                        effects.addAll(hear(id, new Message.Ack(ping.seq(), id)));
                    }
                }
            }
        }
        now = end;
        return effects;
    }

    @Test
    void aForgedDeathKillsNobodyThatRefutes() {
        List<Effect> effects = new ArrayList<>(hear("a", new Claim.Dead("b", 3, "a")));
        assertThat(stateOf("b")).isEqualTo(MemberState.SUSPECT);
        effects.addAll(passTime(1_000, "a", "b", "d"));
        // The suspect is told, and refutes.
        assertThat(sentTo("b", effects)).anyMatch(message -> message instanceof Claim.Suspect);
        hear("b", new Claim.Alive(node("b"), 4));
        assertThat(stateOf("b")).isEqualTo(MemberState.ALIVE);
        passTime(5_000, "a", "b", "d");
        assertThat(stateOf("b")).isEqualTo(MemberState.ALIVE);
    }

    @Test
    void aClaimOfDeathIsBelievedAfterTheShortestTime() {
        hear("a", new Claim.Dead("b", 3, "a"));
        passTime(1_900, "a", "d");
        assertThat(stateOf("b")).isEqualTo(MemberState.SUSPECT);
        passTime(200, "a", "d");
        assertThat(stateOf("b")).isEqualTo(MemberState.DEAD);
    }

    @Test
    void onlyMembersHeldAliveMayAccuse() {
        hear("stranger", new Claim.Suspect("b", 3, "stranger", Evidence.SILENT));
        hear("b", new Claim.Suspect("b", 3, "b", Evidence.SILENT));
        assertThat(stateOf("b")).isEqualTo(MemberState.ALIVE);
        hear("a", new Claim.Suspect("d", 3, "a", Evidence.SILENT));
        hear("d", new Claim.Suspect("b", 3, "d", Evidence.SILENT));
        assertThat(stateOf("b")).as("accused by a suspect").isEqualTo(MemberState.ALIVE);
        assertThat(machine.count(SwimCounter.CLAIMS_REFUSED)).isEqualTo(3);
    }

    @Test
    void claimsOfItsOwnDeathAreRefutedAndTheIncarnationKept() {
        List<Effect> effects = hear("a", new Claim.Suspect("self", 5, "a", Evidence.SILENT));
        assertThat(effects).contains(new Effect.PersistIncarnation(6));
        assertThat(hear("a", new Claim.Dead("self", 6, "a"))).contains(new Effect.PersistIncarnation(7));
        assertThat(hear("a", new Claim.Left("self", 7))).contains(new Effect.PersistIncarnation(8));
        assertThat(sentTo("a", hear("a", new Claim.Dead("self", 4, "a"))))
                .as("denied already")
                .contains(new Claim.Alive(MemberTableTest.node("self", 1), 8));
        assertThat(machine.count(SwimCounter.REFUTATIONS)).isEqualTo(3);
        assertThat(machine.health()).isEqualTo(3);
        assertThat(stateOf("self")).isEqualTo(MemberState.ALIVE);
    }

    /** The streams on which a member is asked whether it has held this node dead. */
    private static List<Long> askedOfDeath(String id, List<Effect> effects) {
        List<Long> streams = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.OpenStream open
                    && open.to().equals(address(id))
                    && StreamCodec.decode(open.message()).orElseThrow() instanceof StreamMessage.DeathQuestion) {
                streams.add(open.stream());
            }
        }
        return streams;
    }

    private List<Effect> answerOfDeath(long stream, OptionalLong incarnation) {
        return machine.answered(stream, StreamCodec.encode(new StreamMessage.DeathAnswer(CLUSTER, incarnation)), now);
    }

    @Test
    void thatItWasHeldDeadIsBelievedOfThoseWhoSaySoOfThemselves() {
        assertThat(hear("a", new Claim.Dead("self", 5, "b")))
                .contains(new Effect.PersistIncarnation(6))
                .doesNotContain(new Effect.TakenForDead());
        List<Effect> effects = passTime(10, "a", "b", "d");
        assertThat(askedOfDeath("d", effects)).isEmpty();
        long fromA = askedOfDeath("a", effects).get(0);
        long fromB = askedOfDeath("b", effects).get(0);
        assertThat(answerOfDeath(fromA, OptionalLong.empty())).doesNotContain(new Effect.TakenForDead());
        assertThat(answerOfDeath(fromB, OptionalLong.of(5))).contains(new Effect.TakenForDead());
        assertThat(answerOfDeath(fromB, OptionalLong.of(5))).doesNotContain(new Effect.TakenForDead());
        // Told once: what others say of the same is no news.
        hear("d", new Claim.Dead("self", 5, "a"));
        assertThat(askedOfDeath("a", passTime(2_000, "a", "b", "d"))).isEmpty();
    }

    @Test
    void forgedDeathsAreDeniedAtOnceAndCostAFewQuestions() {
        List<Effect> effects = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            long incarnation = machine.member("self").orElseThrow().incarnation();
            effects.addAll(hear("a", new Claim.Dead("self", incarnation, i % 2 == 0 ? "b" : "nobody" + i)));
            assertThat(machine.member("self").orElseThrow().incarnation()).isEqualTo(incarnation + 1);
            List<Effect> ticked = passTime(1, "a", "b", "d");
            effects.addAll(ticked);
            for (String id : List.of("a", "b")) {
                askedOfDeath(id, ticked).forEach(stream -> effects.addAll(answerOfDeath(stream, OptionalLong.empty())));
            }
        }
        assertThat(effects).doesNotContain(new Effect.TakenForDead());
        assertThat(askedOfDeath("a", effects)).hasSizeBetween(1, 5);
        assertThat(askedOfDeath("b", effects)).hasSizeBetween(1, 5);
    }

    @Test
    void memberThatCannotBeAskedNowIsAskedAgain() {
        hear("a", new Claim.Dead("self", 5, "b"));
        long first = askedOfDeath("b", passTime(10, "a", "b", "d")).get(0);
        machine.failed(first, StreamFailure.OTHER, now);
        List<Long> again = askedOfDeath("b", passTime(1_000, "a", "b", "d"));
        assertThat(again).hasSize(1);
        assertThat(answerOfDeath(again.get(0), OptionalLong.of(5))).contains(new Effect.TakenForDead());
    }

    @Test
    void deathThatAListPushedHereTellsOfIsAskedForAndOneInAnAnswerIsBelieved() {
        List<StateEntry> dead = List.of(new StateEntry(MemberTableTest.node("self", 1), 5, MemberState.DEAD));
        Claim.Alive a = new Claim.Alive(node("a"), 3);
        byte[] push = StreamCodec.encode(new StreamMessage.Push(CLUSTER, a, dead));
        assertThat(machine.accept(address("a"), push, now)).doesNotContain(new Effect.TakenForDead());
        assertThat(askedOfDeath("a", passTime(10, "a", "b", "d"))).hasSize(1);

        long stream = 0;
        while (stream == 0) {
            for (Effect effect : passTime(1_000, "a", "b", "d")) {
                if (effect instanceof Effect.OpenStream open
                        && StreamCodec.decode(open.message()).orElseThrow() instanceof StreamMessage.Request) {
                    stream = open.stream();
                }
            }
        }
        byte[] whole = StreamCodec.encode(new StreamMessage.Whole(CLUSTER, a, false, dead));
        assertThat(machine.answered(stream, whole, now)).contains(new Effect.TakenForDead());
    }

    @Test
    void memberSaysUpToWhichIncarnationItHasHeldAnotherDead() {
        byte[] question = StreamCodec.encode(new StreamMessage.DeathQuestion(CLUSTER, "b"));
        assertThat(replyTo(machine.accept(address("b"), question, now)))
                .isEqualTo(new StreamMessage.DeathAnswer(CLUSTER, OptionalLong.empty()));
        hear("a", new Claim.Dead("b", 4, "a"));
        passTime(2_500, "a", "d");
        assertThat(stateOf("b")).isEqualTo(MemberState.DEAD);
        hear("b", new Claim.Alive(node("b"), 5));
        assertThat(stateOf("b")).isEqualTo(MemberState.ALIVE);
        assertThat(replyTo(machine.accept(address("b"), question, now)))
                .isEqualTo(new StreamMessage.DeathAnswer(CLUSTER, OptionalLong.of(4)));
    }

    @Test
    void whatItSaysNewOfItselfIsToldToEachMemberDirectly() {
        List<Effect> effects = machine.announce(Map.of("stage", "ready"), now);
        for (String id : List.of("a", "b", "d")) {
            assertThat(sentTo(id, effects))
                    .as(id)
                    .anyMatch(message -> message instanceof Claim.Alive alive
                            && alive.subject().equals("self")
                            && alive.node().metadata().equals(Map.of("stage", "ready")));
        }
    }

    @Test
    void incarnationsThatCannotBeAreRefused() {
        hear("a", new Claim.Dead("self", CodecLimits.INCARNATION_MAX, "a"));
        hear("a", new Claim.Suspect("b", 1L << 40, "a", Evidence.SILENT));
        hear("b", new Claim.Alive(node("b"), 1L << 40));
        assertThat(machine.member("self").orElseThrow().incarnation()).isEqualTo(5);
        assertThat(machine.member("b").orElseThrow().incarnation()).isEqualTo(3);
        assertThat(machine.count(SwimCounter.CLAIMS_REFUSED)).isEqualTo(3);
    }

    @Test
    void anOutdatedClaimOfLifeIsAnsweredWithTheNewerRecord() {
        hear("a", new Claim.Dead("b", 9, "a"));
        passTime(2_500, "a", "d");
        assertThat(stateOf("b")).isEqualTo(MemberState.DEAD);
        List<Effect> effects = hear("b", new Claim.Alive(node("b"), 1));
        assertThat(sentTo("b", effects)).contains(new Claim.Dead("b", 9, "self"));
        hear("b", new Claim.Alive(node("b"), 10));
        assertThat(stateOf("b")).isEqualTo(MemberState.ALIVE);
        // Of others' old gossip no notice is taken.
        assertThat(sentTo("a", hear("a", new Claim.Alive(node("b"), 1))))
                .doesNotHaveAnyElementsOfTypes(Claim.Dead.class);
    }

    @Test
    void whoLeavesIsGoneAtOnceAndOldGossipBringsNobodyBack() {
        List<Effect> effects = hear("a", new Claim.Left("b", 3));
        assertThat(effects)
                .contains(new Effect.Changed(
                        Optional.of(MemberState.ALIVE), new MemberView(node("b"), 3, MemberState.LEFT), false));
        hear("d", new Claim.Alive(node("b"), 3), new Claim.Suspect("b", 3, "d", Evidence.SILENT));
        assertThat(stateOf("b")).isEqualTo(MemberState.LEFT);
        assertThat(machine.liveMembers()).isEqualTo(3);
    }

    @Test
    void aPingForAnotherIdIsNotAnswered() {
        List<Message> sent = sentTo("a", hear("a", new Message.Ping(1, "earlier")));
        assertThat(sent).noneMatch(message -> message instanceof Message.Ack);
        assertThat(sent)
                .anyMatch(message ->
                        message instanceof Claim.Alive alive && alive.subject().equals("self"));
        assertThat(sentTo("a", hear("a", new Message.Ping(1, "self")))).contains(new Message.Ack(1, "self"));
    }

    @Test
    void pingsForOthersGoOnlyToMembersAtTheirOwnAddresses() {
        HostPort elsewhere = HostPort.parse("192.0.2.1:53");
        assertThat(hear("a", new Message.PingReq(9, "stranger", elsewhere))).isEmpty();
        List<Effect> effects = hear("a", new Message.PingReq(9, "b", elsewhere));
        Message.Ping ping = (Message.Ping) sentTo("b", effects).get(0);
        assertThat(sentTo("a", hear("b", new Message.Ack(ping.seq(), "b")))).contains(new Message.Ack(9, "b"));
        hear("a", new Message.PingReq(10, "b", elsewhere));
        assertThat(sentTo("a", passTime(200, "a", "d"))).contains(new Message.Nack(10));
    }

    @Test
    void otherClustersAreNotListenedTo() {
        assertThat(hearIn("other", "x", new Claim.Alive(node("x"), 1))).isEmpty();
        assertThat(machine.member("x")).isEmpty();
        byte[] request = StreamCodec.encode(new StreamMessage.Request("other", new Claim.Alive(node("x"), 1), true, 0));
        assertThat(machine.accept(address("x"), request, now)).isEmpty();
        assertThat(machine.count(SwimCounter.FOREIGN_MESSAGES)).isEqualTo(2);
    }

    @Test
    void membersThatAgreeExchangeNoLists() {
        Claim.Alive x = new Claim.Alive(node("x"), 1);
        byte[] request = StreamCodec.encode(new StreamMessage.Request(CLUSTER, x, false, 0));
        StreamMessage whole = replyTo(machine.accept(address("x"), request, now));
        assertThat(whole)
                .isInstanceOfSatisfying(
                        StreamMessage.Whole.class,
                        list -> assertThat(list.entries()).hasSize(4));
        MemberTable same = new MemberTable(1, new SplittableRandom(1));
        for (String id : List.of("a", "b", "d")) {
            same.place(new MemberEntry(node(id), 3, MemberState.ALIVE, 0));
        }
        same.place(new MemberEntry(MemberTableTest.node("self", 1), 5, MemberState.ALIVE, 0));
        byte[] agreed = StreamCodec.encode(new StreamMessage.Request(CLUSTER, x, false, same.digest(x)));
        assertThat(replyTo(machine.accept(address("x"), agreed, now))).isInstanceOf(StreamMessage.Same.class);
    }

    private static StreamMessage replyTo(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Reply.class::isInstance)
                .map(effect ->
                        StreamCodec.decode(((Effect.Reply) effect).message()).orElseThrow())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFullListTakesUpNobodyElse() {
        SwimConfig usual = SwimConfig.defaults(CLUSTER);
        SwimMachine small = new SwimMachine(
                new SwimConfig(
                        CLUSTER,
                        usual.probe(),
                        usual.suspicion(),
                        usual.gossip(),
                        usual.exchange(),
                        usual.join(),
                        usual.heal(),
                        3),
                MemberTableTest.node("self", 1),
                1,
                List.of(),
                List.of(),
                new SplittableRandom(1),
                0);
        small.start(0);
        for (int i = 0; i < 100; i++) {
            byte[] packet = new WireWriter()
                    .raw(PacketCodec.header(CLUSTER, "x"))
                    .raw(PacketCodec.encode(new Claim.Alive(MemberTableTest.node("x" + i, 10 + i), 1)))
                    .bytes();
            small.datagram(address("x"), packet, 0);
        }
        assertThat(small.liveMembers()).isEqualTo(3);
        assertThat(small.count(SwimCounter.MEMBERS_REFUSED)).isEqualTo(98);
    }

    @Test
    void oneThatWasStoppedTrustsItselfLessAndGivesSuspectsTheirTimeBack() {
        hear("a", new Claim.Dead("b", 3, "a"));
        passTime(1_000, "a", "d");
        now += 10_000 * MILLI;
        machine.tick(now);
        assertThat(machine.count(SwimCounter.PAUSES)).isEqualTo(1);
        assertThat(machine.health()).isEqualTo(8);
        assertThat(stateOf("b")).isEqualTo(MemberState.SUSPECT);
        passTime(800, "a", "d");
        assertThat(stateOf("b")).isEqualTo(MemberState.SUSPECT);
    }

    @Test
    void aLostLinkIsLookedIntoAtOnce() {
        machine.linkLost("d", now);
        List<Effect> effects = new ArrayList<>(machine.tick(now));
        assertThat(sentTo("d", effects)).anyMatch(message -> message instanceof Message.Ping);
        machine.linkLost("nobody", now);
        assertThat(machine.tick(now)).isEmpty();
    }

    /** {@code -Dswim.fuzz=N} runs more rounds. */
    @Test
    void hostileBytesChangeNothingButACounter() {
        long seed = 77;
        SplittableRandom random = new SplittableRandom(seed);
        List<MemberView> before = machine.members();
        int rounds = Integer.getInteger("swim.fuzz", 20_000);
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = new byte[random.nextInt(i % 100 == 0 ? 6_000 : 60)];
            random.nextBytes(bytes);
            machine.datagram(address("a"), bytes, now);
            machine.accept(address("a"), bytes, now);
            machine.answered(random.nextInt(100), bytes, now);
        }
        assertThat(machine.members()).as("seed %d", seed).isEqualTo(before);
        assertThat(machine.count(SwimCounter.BAD_MESSAGES)).isEqualTo(3L * rounds);
    }
}
