// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WriteQueueTest {

    private static final long NO_DEADLINE = Long.MAX_VALUE / 2;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong ticks = new AtomicLong();
    private final CountDownLatch held = new CountDownLatch(1);
    private final WriteQueue queue =
            new WriteQueue(2, nanos::get, InstantSource.system(), now -> ticks.incrementAndGet() % 3 != 0);

    @AfterEach
    void close() {
        held.countDown();
        queue.close();
    }

    /** Occupies the writer until the latch opens. */
    private void hold() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        queue.submit(NO_DEADLINE, now -> {
            begun.countDown();
            try {
                return held.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
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

    @Test
    void writesAreCarriedOutInTheirOrder() throws Exception {
        queue.start();
        List<Integer> order = new ArrayList<>();
        CompletableFuture<?> first =
                queue.submit(NO_DEADLINE, now -> order.add(1)).toCompletableFuture();
        CompletableFuture<?> second =
                queue.submit(NO_DEADLINE, now -> order.add(2)).toCompletableFuture();
        CompletableFuture.allOf(first, second).get(30, TimeUnit.SECONDS);

        assertThat(order).containsExactly(1, 2);
    }

    @Test
    void fullQueueRefusesAtOnce() throws Exception {
        queue.start();
        hold();
        CompletionStage<String> first = queue.submit(NO_DEADLINE, now -> "first");
        CompletionStage<String> second = queue.submit(NO_DEADLINE, now -> "second");

        assertThat(failure(queue.submit(NO_DEADLINE, now -> "third")))
                .isInstanceOfSatisfying(
                        Overloaded.class, e -> assertThat(e.signal()).isEqualTo(Signal.TRY_ELSEWHERE));
        held.countDown();
        assertThat(get(first)).isEqualTo("first");
        assertThat(get(second)).isEqualTo("second");
    }

    @Test
    void writeWhoseDeadlinePassesWhileItWaitsIsDropped() throws Exception {
        queue.start();
        hold();
        List<String> done = new ArrayList<>();
        CompletionStage<Boolean> late = queue.submit(1_000, now -> done.add("late"));
        nanos.set(1_000);
        held.countDown();

        assertThat(failure(late)).isInstanceOf(Overloaded.class);
        assertThat(done).isEmpty();
    }

    @Test
    void closedQueueTakesNothingMoreAndLosesNothing() throws Exception {
        queue.start();
        hold();
        CompletionStage<String> queued = queue.submit(NO_DEADLINE, now -> "done");
        held.countDown();
        queue.close();

        assertThat(get(queued)).isEqualTo("done");
        assertThat(failure(queue.submit(NO_DEADLINE, now -> "late"))).isInstanceOf(NotReady.class);
    }

    @Test
    void writeThatFailsUnexpectedlyEndsNothingElse() throws Exception {
        queue.start();

        assertThat(failure(queue.<String>submit(NO_DEADLINE, now -> {
                    throw new IllegalStateException("on purpose");
                })))
                .isInstanceOf(RegistryFault.class);
        CompletionStage<String> next = queue.submit(NO_DEADLINE, now -> "next");
        assertThat(get(next)).isEqualTo("next");
    }

    @Test
    void ticksWhileMoreIsToDoAndThenWaitsForItsTime() throws Exception {
        queue.start();
        get(queue.submit(NO_DEADLINE, now -> "not yet"));
        assertThat(ticks).hasValue(0);

        nanos.set(WriteQueue.TICK.toNanos());
        get(queue.submit(NO_DEADLINE, now -> "now"));
        get(queue.submit(NO_DEADLINE, now -> "and again"));
        get(queue.submit(NO_DEADLINE, now -> "and again"));
        assertThat(ticks).hasValue(3);
        get(queue.submit(NO_DEADLINE, now -> "no more"));
        assertThat(ticks).hasValue(3);
    }
}
