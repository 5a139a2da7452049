// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.server.store.Now;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes the store, and the bounded queue in front of it.
 *
 * <p>Between writes, and at least every {@link #TICK}, the thread ticks the store.
 */
final class WriteQueue implements StoreWriter {

    /** How late a lease may end. */
    static final Duration TICK = Duration.ofMillis(100);

    private static final Logger log = LoggerFactory.getLogger(WriteQueue.class);

    private final BlockingQueue<Write<?>> queue;
    private final LongSupplier ticker;
    private final InstantSource clock;
    private final Tick tick;
    private final Thread thread;
    private volatile boolean closed;

    WriteQueue(int writesMax, LongSupplier ticker, InstantSource clock, Tick tick) {
        this.queue = new ArrayBlockingQueue<>(writesMax);
        this.ticker = ticker;
        this.clock = clock;
        this.tick = tick;
        this.thread = new Thread(this::run, "registry-writer");
        thread.setDaemon(true);
    }

    private record Write<T>(Function<Now, T> work, long deadlineNanos, CompletableFuture<T> answer) {

        void carryOut(Now now) {
            if (deadlineNanos - now.nanos() <= 0) {
                answer.completeExceptionally(new Overloaded(
                        "the call waited past its deadline; nothing was changed",
                        Signal.TRY_ELSEWHERE,
                        Optional.empty()));
                return;
            }
            try {
                answer.complete(work.apply(now));
            } catch (RegistryException e) {
                answer.completeExceptionally(e);
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                // Not even these may end the thread: the node would go on to answer from what changes no more.
                log.error("a write failed", e);
                answer.completeExceptionally(new RegistryFault("the write failed", e));
            }
        }

        void refuse() {
            answer.completeExceptionally(stopping());
        }
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public <T> CompletionStage<T> submit(long deadlineNanos, Function<Now, T> work) {
        Write<T> write = new Write<>(work, deadlineNanos, new CompletableFuture<>());
        if (closed) {
            write.refuse();
        } else if (!queue.offer(write)) {
            write.answer()
                    .completeExceptionally(new Overloaded(
                            "too many writes are waiting at this node", Signal.TRY_ELSEWHERE, Optional.empty()));
        } else if (closed && queue.remove(write)) {
            write.refuse();
        }
        return write.answer();
    }

    private static NotReady stopping() {
        return new NotReady("the node is stopping", Optional.empty());
    }

    private void run() {
        long tickedNanos = ticker.getAsLong();
        boolean more = false;
        while (!closed || !queue.isEmpty()) {
            try {
                Write<?> write = queue.poll(more ? 0 : TICK.toNanos(), TimeUnit.NANOSECONDS);
                Now now = new Now(ticker.getAsLong(), clock.millis());
                if (more || now.nanos() - tickedNanos >= TICK.toNanos()) {
                    tickedNanos = now.nanos();
                    more = tickSafely(now);
                }
                if (write != null) {
                    write.carryOut(now);
                }
            } catch (InterruptedException e) {
                // Only close() interrupts: the loop's condition says whether there is more to do.
                log.debug("woken up to close");
            }
        }
    }

    /** A tick that fails is reported and must not end the thread. */
    private boolean tickSafely(Now now) {
        try {
            return tick.tick(now);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            log.error("a tick failed", e);
            return false;
        }
    }

    /** Carries out what is queued, takes nothing more, and ends the thread; waits for it for a second at most. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Write<?> left = queue.poll(); left != null; left = queue.poll()) {
            left.refuse();
        }
    }
}
