// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.client.RegistryClient;
import io.tagbahn.model.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node in a process of its own that comes and goes, and always has the same id and address. */
final class ProcessNode implements Watchable {

    private static final Duration START_MAX = Duration.ofMinutes(3);
    private static final Duration STOP_MAX = Duration.ofMinutes(3);

    private final NodeStarter starter;
    private final HostPort address;
    private NodeOrder order;
    private @Nullable StartedNode started;
    private volatile boolean up;

    ProcessNode(NodeStarter starter, HostPort address, NodeOrder order) {
        this.starter = starter;
        this.address = address;
        this.order = order;
    }

    @Override
    public String id() {
        return order.id();
    }

    HostPort address() {
        return address;
    }

    NodeOrder order() {
        return order;
    }

    /** Starts differently the next time. */
    void order(NodeOrder newOrder) {
        order = newOrder;
    }

    /** Whether it has been ready since it was started, and nobody has done anything to it since. */
    boolean isUp() {
        return up;
    }

    void start() {
        started = starter.start(order);
    }

    boolean isReady() {
        return started != null && started.ready().getNow(false);
    }

    void awaitReady() {
        Process process = process();
        Waiting.orFail(
                "the start of " + id() + ", whose log is in " + order.folder(),
                () -> isReady() || !process.isAlive(),
                START_MAX);
        if (!process.isAlive()) {
            throw new ScenarioFailure(id() + " has ended; its log is in " + order.folder());
        }
        up = true;
    }

    void kill() {
        up = false;
        process().destroyForcibly();
        awaitEnd();
    }

    /** Has it leave in order, and waits for its end; whether it ended so. */
    boolean stop() {
        up = false;
        process().destroy();
        awaitEnd();
        return process().exitValue() == 0;
    }

    void freeze() {
        up = false;
        signal("STOP");
    }

    /** Goes on; not {@linkplain #isUp up} before {@link #trust}. */
    void thaw() {
        signal("CONT");
    }

    /** Says that what happened to it is over. */
    void trust() {
        up = true;
    }

    void signal(String name) {
        try {
            Process kill = new ProcessBuilder(
                            "kill", "-" + name, Long.toString(process().pid()))
                    .start();
            if (kill.waitFor() != 0) {
                throw new ScenarioFailure("no signal " + name + " to " + id() + ": exit code " + kill.exitValue());
            }
        } catch (IOException e) {
            throw new ScenarioFailure("no signal " + name + " to " + id(), e);
        } catch (InterruptedException e) {
            throw Waiting.interrupted();
        }
    }

    /** Ends the process, if there is one, without waiting. */
    void abandon() {
        up = false;
        if (started != null) {
            started.process().destroyForcibly();
        }
    }

    boolean isRunning() {
        return started != null && started.process().isAlive();
    }

    @Override
    public RegistryClient client() {
        return NodeClients.of(address);
    }

    private void awaitEnd() {
        try {
            if (!process().waitFor(STOP_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
                process().destroyForcibly();
                throw new ScenarioFailure(id() + " has not ended within " + STOP_MAX.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            throw Waiting.interrupted();
        }
    }

    private Process process() {
        StartedNode present = started;
        if (present == null) {
            throw new IllegalStateException(id() + " was never started");
        }
        return present.process();
    }
}
