// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogManager;

/** The process around a command: its streams, its signals and its exit code. */
public final class Main {

    /**
     * How long a command may take to end in order after SIGTERM; serve (which hands over first) and register have bounds
     * of their own below it, and cluster waits for one node after the other.
     */
    private static final long STOP_SECONDS_MAX = 300;

    private Main() {}

    public static void main(String[] args) {
        System.setProperty("java.util.logging.manager", LastingLogs.class.getName());
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Output out = new Output(new FileOutputStream(FileDescriptor.out));
        StopSignal stop = new StopSignal();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger exitCode = new AtomicInteger(ExitCode.UNAVAILABLE);
        Thread stopper = new Thread(() -> stopInOrder(stop, ended, exitCode), "tagbahn-stop");
        Runtime.getRuntime().addShutdownHook(stopper);
        exitCode.set(
                new Tagbahn(new Environment(System.in, out, err, System.getenv(), System::nanoTime, stop)).run(args));
        ended.countDown();
        // Once a signal has come, this waits for the hook above, which ends the process with the command's exit code.
        System.exit(exitCode.get());
    }

    /** Logging that goes on while the process ends; the JDK's own stops with the first shutdown hook. */
    public static final class LastingLogs extends LogManager {

        @Override
        public void reset() {
            // Nothing: this is what the JDK calls at the end.
        }
    }

    /** Runs when a signal has come, or when the command has ended by itself. */
    private static void stopInOrder(StopSignal stop, CountDownLatch ended, AtomicInteger exitCode) {
        if (ended.getCount() == 0 || !stop.isHeeded()) {
            return;
        }
        stop.raise();
        try {
            if (ended.await(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                // The JVM would tell 143, as if the command had not ended in order.
                Runtime.getRuntime().halt(exitCode.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
