// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Unreachable;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallbacksTest {

    /** Callbacks whose thread is held up, and on which one more task may wait. */
    private static Callbacks full(CountDownLatch release) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), task -> {
                    Thread thread = new Thread(task, "held-up");
                    thread.setDaemon(true);
                    return thread;
                });
        Runnable holdUp = () -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        executor.execute(holdUp);
        executor.execute(holdUp);
        return new Callbacks(executor);
    }

    @Test
    void stageCompletesAlsoWhereTooManyTasksWait() {
        CountDownLatch release = new CountDownLatch(1);
        Callbacks callbacks = full(release);
        assertThat(callbacks.on(CompletableFuture.completedFuture(7)).toCompletableFuture())
                .isCompletedWithValue(7);
        release.countDown();
        callbacks.close();
    }

    @Test
    void eventIsDroppedWhereTooManyTasksWait() {
        CountDownLatch release = new CountDownLatch(1);
        Callbacks callbacks = full(release);
        AtomicInteger told = new AtomicInteger();
        callbacks.tell(told::incrementAndGet);
        release.countDown();
        callbacks.close();
        assertThat(told).hasValue(0);
    }

    @Test
    void stageCompletesAlsoWhereTheClientIsClosed() {
        Callbacks callbacks = Callbacks.onThread("closed");
        callbacks.close();
        assertThat(callbacks.on(CompletableFuture.completedFuture(7)).toCompletableFuture())
                .isCompletedWithValue(7);
    }

    @Test
    void failureReachesTheStageWithoutItsWrappings() {
        Callbacks callbacks = new Callbacks(new DirectExecutor());
        Unreachable failure = new Unreachable("gone");
        CompletableFuture<Integer> failed = CompletableFuture.failedFuture(new CompletionException(failure));
        assertThat(callbacks.on(failed).handle((value, error) -> error).toCompletableFuture())
                .isCompletedWithValue(failure);
    }

    @Test
    void whatTheCallerCannotKnowIsToldInTheWordsOfTheRegistry() {
        assertThat(Failures.of(new CompletionException(new RejectedExecutionException())))
                .isInstanceOf(Overloaded.class);
        assertThat(Failures.of(new IllegalStateException("broken")))
                .isInstanceOf(RegistryFault.class)
                .hasMessageContaining("broken");
    }
}
