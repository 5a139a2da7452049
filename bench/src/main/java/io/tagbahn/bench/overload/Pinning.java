// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Processors that processes are held to, by {@code taskset}, so that those that make load don't take from the others. */
final class Pinning {

    private static final int SECONDS_MAX = 10;
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

    private Pinning() {}

    /** Whether this machine has at least two processors, and the means. */
    static boolean isPossible() {
        return Runtime.getRuntime().availableProcessors() > 1
                && run(List.of(
                        "taskset", "-p", Long.toString(ProcessHandle.current().pid())));
    }

    /** Holds all threads of a process to some processors, as in {@code 0} or {@code 1-3}. */
    static boolean hold(long pid, String processors) {
        return run(List.of("taskset", "-a", "-c", "-p", processors, Long.toString(pid)));
    }

    /** Holds the compilers of a JVM to other processors than its other threads. */
    static boolean holdCompilers(long pid, String processors) {
        return threads(pid).stream()
                .filter(Pinning::isCompiler)
                .allMatch(thread -> run(List.of(
                        "taskset", "-c", "-p", processors, thread.getFileName().toString())));
    }

    private static boolean isCompiler(Path thread) {
        try {
            return COMPILER.matcher(Files.readString(thread.resolve("comm"))).lookingAt();
        } catch (IOException e) {
            return false; // it has just ended
        }
    }

    /** Has all threads of a process give way to those of others. */
    static boolean giveWay(long pid) {
        List<String> command = new ArrayList<>(List.of("renice", "-n", "5", "-p"));
        threads(pid).forEach(thread -> command.add(thread.getFileName().toString()));
        return run(command);
    }

    private static List<Path> threads(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.toList();
        } catch (IOException e) {
            return List.of(); // not this kind of system
        }
    }

    private static boolean run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // no such program here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
