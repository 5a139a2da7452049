// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who gets how many calls, by simulation: callers as they are, hosts and time of the test. */
final class CallSpreadTest {

    private final SteppedTime time = new SteppedTime(42);
    private final TestingHosts list = new TestingHosts();
    private final Map<InstanceId, Stub> stubs = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(7);

    /** A host that serves some calls at once and rejects the others. */
    private static final class Stub {
        private final int limit;
        private final Duration serviceTime;
        private int under;
        private long served;
        private long asked;

        Stub(int limit, Duration serviceTime) {
            this.limit = limit;
            this.serviceTime = serviceTime;
        }
    }

    private CompletionStage<String> serve(CalledHost host) {
        Stub stub =
                stubs.computeIfAbsent(host.instance().id(), id -> new Stub(Integer.MAX_VALUE, Duration.ofMillis(5)));
        stub.asked++;
        if (stub.under >= stub.limit) {
            return CompletableFuture.failedFuture(new HostRejected("full"));
        }
        stub.under++;
        CompletableFuture<String> answer = new CompletableFuture<>();
        time.after(stub.serviceTime, () -> {
            stub.under--;
            stub.served++;
            answer.complete("page");
        });
        return answer;
    }

    /** Calls at a rate, at random moments, from callers in turn; returns how many failed. */
    private int load(List<Caller> callers, int perSecond, Duration duration) {
        List<CompletableFuture<String>> answers = offer(callers, perSecond, duration);
        time.pass(Duration.ofSeconds(2));
        return failed(answers);
    }

    private static int failed(List<CompletableFuture<String>> answers) {
        return (int) answers.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .count();
    }

    private List<CompletableFuture<String>> offer(List<Caller> callers, int perSecond, Duration duration) {
        long endNanos = time.getAsLong() + duration.toNanos();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; time.getAsLong() < endNanos; i++) {
            answers.add(callers.get(i % callers.size())
                    .callAsync(Idempotency.IDEMPOTENT, this::serve)
                    .toCompletableFuture());
            time.pass(Duration.ofNanos((long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond)));
        }
        return answers;
    }

    private List<Caller> callers(int count, CallerConfig config) {
        return IntStream.range(0, count)
                .mapToObj(i -> list.caller(config, time, new Random(i)))
                .toList();
    }

    private LongSummaryStatistics served(List<Instance> hosts) {
        return hosts.stream().mapToLong(host -> served(host)).summaryStatistics();
    }

    private long served(Instance host) {
        Stub stub = stubs.get(host.id());
        return stub == null ? 0 : stub.served;
    }

    /** FF-26: a rolling deploy of lists that change all the time. */
    @Test
    void loadStaysEvenWhileTheListChanges() {
        List<Instance> hosts = TestingHosts.hosts(10);
        List<Caller> callers = callers(50, CallerConfig.defaults());
        list.list(hosts);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        List<Instance> order = new ArrayList<>(hosts);
        for (int round = 0; round < 50; round++) {
            Collections.shuffle(order, new Random(round));
            list.list(order.subList(1, order.size())); // one is away for a moment
            answers.addAll(offer(callers, 2_000, Duration.ofMillis(10)));
            list.list(order);
            answers.addAll(offer(callers, 2_000, Duration.ofMillis(190)));
        }
        time.pass(Duration.ofSeconds(2));
        LongSummaryStatistics load = served(hosts);
        assertThat(failed(answers)).isZero();
        assertThat(load.getSum()).isBetween(19_000L, 21_000L);
        assertThat((double) load.getMax()).isLessThan(1.1 * load.getAverage());
        assertThat((double) load.getMin()).isGreaterThan(0.9 * load.getAverage());
    }

    /** FF-26: callers that have just begun, with the same list. */
    @Test
    void freshCallersDoNotAllBeginWithTheSameHost() {
        List<Instance> hosts = TestingHosts.hosts(10);
        List<Caller> callers = callers(200, CallerConfig.defaults());
        list.list(hosts);
        callers.forEach(caller -> caller.callAsync(Idempotency.IDEMPOTENT, this::serve));
        time.pass(Duration.ofSeconds(1));
        LongSummaryStatistics load = served(hosts);
        assertThat(load.getSum()).isEqualTo(200);
        assertThat(load.getMax()).isLessThanOrEqualTo(50);
    }

    @Test
    void weightGivesShares() {
        List<Instance> hosts = List.of(
                TestingHosts.host(0).withWeight(300),
                TestingHosts.host(1),
                TestingHosts.host(2),
                TestingHosts.host(3).withWeight(0));
        List<Caller> callers = callers(3, CallerConfig.defaults());
        list.list(hosts);
        assertThat(load(callers, 500, Duration.ofSeconds(10))).isZero();
        double all = served(hosts).getSum();
        assertThat(served(hosts.get(0)) / all).isBetween(0.54, 0.66);
        assertThat(served(hosts.get(1)) / all).isBetween(0.17, 0.23);
        assertThat(served(hosts.get(3))).isZero();
    }

    @Test
    void newHostGetsItsShareBitByBit() {
        List<Instance> old = TestingHosts.hosts(4);
        Instance fresh = TestingHosts.host(9);
        List<Instance> all = new ArrayList<>(old);
        all.add(fresh);
        List<Caller> callers = callers(2, CallerConfig.defaults());
        list.list(old);
        load(callers, 1_000, Duration.ofSeconds(2));
        list.list(all);
        load(callers, 1_000, Duration.ofSeconds(1));
        long first = served(fresh);
        assertThat(first).isBetween(10L, 60L); // a full share were 200
        load(callers, 1_000, Duration.ofSeconds(10));
        long before = served(fresh);
        load(callers, 1_000, Duration.ofSeconds(2));
        assertThat(served(fresh) - before).isBetween(340L, 460L);
    }

    @Test
    void newHostIsNotGivenWhatTheOthersHadBefore() {
        SpreadConfig atOnce = SpreadConfig.defaults().withSlowStart(Duration.ZERO);
        List<Caller> callers = callers(20, CallerConfig.defaults().withSpread(atOnce));
        list.list(TestingHosts.hosts(2));
        load(callers, 500, Duration.ofSeconds(4));
        list.list(TestingHosts.hosts(3));
        load(callers, 500, Duration.ofMillis(400));
        assertThat(served(TestingHosts.host(2))).isBetween(40L, 95L); // a third were 67, twelve of each caller 160
    }

    @Test
    void hostThatIsWellAgainGetsItsShareWithinSeconds() {
        List<Instance> hosts = TestingHosts.hosts(3);
        List<Caller> callers = callers(2, CallerConfig.defaults().withAttemptTimeout(Duration.ofMillis(400)));
        list.list(hosts);
        load(callers, 200, Duration.ofSeconds(5));
        Stub sick = Objects.requireNonNull(stubs.get(hosts.get(0).id()));
        stubs.put(hosts.get(0).id(), new Stub(Integer.MAX_VALUE, Duration.ofMinutes(1)));
        int failed = load(callers, 200, Duration.ofSeconds(10));
        assertThat(failed).isLessThan(10);
        stubs.put(hosts.get(0).id(), sick);
        offer(callers, 200, Duration.ofSeconds(4));
        sick.served = 0;
        offer(callers, 200, Duration.ofSeconds(5));
        assertThat(sick.served).isBetween(280L, 400L); // a third were 333
    }

    /** FF-12: one small instance in the callers' zone, nine idle ones elsewhere. */
    @Test
    void loneLocalHostTakesWhatItBearsAndTheOthersTheRest() {
        List<Instance> hosts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            hosts.add(TestingHosts.host(i, i == 0 ? "a" : i < 5 ? "b" : "c"));
            stubs.put(hosts.get(i).id(), new Stub(10, Duration.ofMillis(20)));
        }
        List<Caller> callers = callers(5, CallerConfig.defaults().near(TestingHosts.zone("a")));
        list.list(hosts);
        int perSecond = 1_500; // three times what one bears
        int failed = load(callers, perSecond, Duration.ofSeconds(20));
        double calls = served(hosts).getSum();
        assertThat(failed / calls).isLessThan(0.01);
        // The rule: as much as it bears, a third here, and not far below.
        assertThat(served(hosts.get(0)) / calls).isBetween(0.2, 0.34);

        List<Instance> more = new ArrayList<>(hosts);
        for (int i = 10; i < 15; i++) {
            more.add(TestingHosts.host(i, "a"));
            stubs.put(more.get(i).id(), new Stub(10, Duration.ofMillis(20)));
        }
        list.list(more);
        load(callers, perSecond, Duration.ofSeconds(15)); // they start slowly
        stubs.values().forEach(stub -> stub.served = 0);
        failed = load(callers, perSecond, Duration.ofSeconds(10));
        calls = served(more).getSum();
        double local = more.stream()
                .filter(host -> host.locality().zone().orElse("").equals("a"))
                .mapToLong(this::served)
                .sum();
        assertThat(failed / calls).isLessThan(0.01);
        assertThat(local / calls).isGreaterThan(0.9);
    }

    /** The same with callers so many that each has a call under way now and then only. */
    @Test
    void manyCallersThatCallRarelyDoNotOverrunTheLocalHostEither() {
        List<Instance> hosts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            hosts.add(TestingHosts.host(i, i == 0 ? "a" : "b"));
            stubs.put(hosts.get(i).id(), new Stub(10, Duration.ofMillis(20)));
        }
        List<Caller> callers = callers(300, CallerConfig.defaults().near(TestingHosts.zone("a")));
        list.list(hosts);
        int failed = load(callers, 1_500, Duration.ofSeconds(20));
        double calls = served(hosts).getSum();
        long rejected = stubs.values().stream()
                .mapToLong(stub -> stub.asked - stub.served)
                .sum();
        assertThat(failed / calls).isLessThan(0.01);
        assertThat(served(hosts.get(0)) / calls).isBetween(0.15, 0.34);
        assertThat(rejected / calls).isLessThan(0.15);
    }

    /** What is near and slow is no better than what is far and fast. */
    @Test
    void localHostThatBecomesSlowUnderLoadIsSpared() {
        Instance local = TestingHosts.host(0, "a");
        List<Instance> hosts = new ArrayList<>(List.of(local));
        IntStream.range(1, 6).forEach(i -> hosts.add(TestingHosts.host(i, "b")));
        List<Caller> callers = callers(2, CallerConfig.defaults().near(TestingHosts.zone("a")));
        list.list(hosts);
        // One at a time, 10 ms each: 100 a second.
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        long[] freeAtNanos = {0};
        for (int i = 0; i < 3_000; i++) {
            long sentNanos = time.getAsLong();
            answers.add(callers.get(i % 2)
                    .<Long>callAsync(Idempotency.IDEMPOTENT, host -> {
                        CompletableFuture<Long> answer = new CompletableFuture<>();
                        Duration takes = Duration.ofMillis(12);
                        if (host.instance().id().equals(local.id())) {
                            freeAtNanos[0] = Math.max(freeAtNanos[0], time.getAsLong()) + 10_000_000;
                            takes = Duration.ofNanos(freeAtNanos[0] - time.getAsLong());
                        }
                        time.after(takes, () -> answer.complete(time.getAsLong() - sentNanos));
                        return answer;
                    })
                    .toCompletableFuture());
            time.pass(Duration.ofMillis(3)); // 333 a second
        }
        time.pass(Duration.ofSeconds(2));
        long localShare = callers.stream()
                .mapToLong(caller -> caller.counters().attemptsByDistance().get(1))
                .sum();
        double mean = answers.stream()
                .skip(1_000)
                .mapToLong(CompletableFuture::join)
                .average()
                .orElseThrow();
        assertThat(localShare).isBetween(300L, 1_000L);
        assertThat(mean).as("nanos").isLessThan(30e6);
    }
}
