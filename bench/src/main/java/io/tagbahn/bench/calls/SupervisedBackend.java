// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.bench.JavaProcess;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link LeakingBackend} and what looks after it: it is asked for its health, killed when it has not answered three times,
 * and started again at the same address. Its registration stays, as the lease is longer than that takes.
 */
final class SupervisedBackend implements AutoCloseable {

    private static final int FAILURES_MAX = 3;
    private static final int JVM_BYTES = 48 << 20;
    private static final Logger log = LoggerFactory.getLogger(SupervisedBackend.class);

    private final HostPort registry;
    private final int number;
    private final ResiliencePlan plan;
    private final HttpCalls http = new HttpCalls();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger restarts = new AtomicInteger();
    private final Thread thread;
    private volatile @Nullable JavaProcess process;
    private int port;

    SupervisedBackend(HostPort registry, int number, ResiliencePlan plan) throws IOException {
        this.registry = registry;
        this.number = number;
        this.plan = plan;
        // Not all become full at the same time.
        start((double) number / plan.backends());
        this.thread = new Thread(this::look, "supervisor-" + number);
        thread.setDaemon(true);
    }

    /** Waits until it has started, and looks after it from then on. */
    void lookAfter() throws IOException {
        awaitReady();
        thread.start();
    }

    private void awaitReady() throws IOException {
        JavaProcess started = process;
        if (started != null) {
            port = Integer.parseInt(started.answer("ready"));
        }
    }

    private void start(double full) throws IOException {
        List<String> jvm = List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx" + (plan.memoryBytes() + JVM_BYTES));
        List<String> arguments = new ArrayList<>(List.of(
                registry.toString(),
                Integer.toString(number),
                Integer.toString(port),
                Long.toString(plan.work().toMillis()),
                Long.toString(plan.memoryBytes()),
                Integer.toString(plan.retainedBytes()),
                Double.toString(full)));
        process = JavaProcess.start(jvm, LeakingBackend.class, arguments);
    }

    private void look() {
        int failures = 0;
        try {
            while (!closing.await(plan.healthInterval().toMillis(), TimeUnit.MILLISECONDS)) {
                failures = isWell() ? 0 : failures + 1;
                if (failures >= FAILURES_MAX) {
                    restart();
                    failures = 0;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.warn("backend {} could not be started again", number, e);
        }
    }

    private boolean isWell() throws InterruptedException {
        try {
            http.get(HostPort.parse("127.0.0.1:" + port), LeakingBackend.HEALTH, plan.healthInterval());
            return true;
        } catch (IOException e) {
            log.debug("backend {} is not well: {}", number, e.toString());
            return false;
        }
    }

    private void restart() throws IOException {
        JavaProcess full = process;
        if (full != null) {
            full.kill();
        }
        restarts.incrementAndGet();
        start(0);
        awaitReady();
    }

    /** Times that it was killed and started again. */
    int restarts() {
        return restarts.get();
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        JavaProcess last = process;
        if (last != null) {
            last.kill();
        }
    }
}
