// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A program of this class path in a JVM of its own, spoken to in lines. It ends when its input does, so also when this
 * process dies.
 */
public final class JavaProcess implements AutoCloseable {

    /** As the launcher starts nodes: what is compared with a node must not run on less. */
    public static final List<String> AS_A_NODE = List.of(
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=10",
            "-Xms32m",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=30",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-PrintWarnings",
            "-XX:ThreadPriorityPolicy=1",
            "-XX:CompilerThreadPriority=0");

    private static final int STOP_SECONDS_MAX = 20;

    private final String name;
    private final Process process;
    private final BufferedReader answers;

    private JavaProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    public static JavaProcess start(List<String> jvmArguments, Class<?> main, List<String> arguments)
            throws IOException {
        return start(jvmArguments, main, arguments, ProcessBuilder.Redirect.INHERIT);
    }

    /** @param log where what it says of errors goes, and what it logs */
    static JavaProcess start(
            List<String> jvmArguments, Class<?> main, List<String> arguments, ProcessBuilder.Redirect log)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new JavaProcess(
                main.getSimpleName(),
                new ProcessBuilder(command).redirectError(log).start());
    }

    public long pid() {
        return process.pid();
    }

    /** The next line that it says. */
    public String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException(name + " ended: " + process);
        }
        return line;
    }

    /** What follows the given word on the next line that it says. */
    public String answer(String start) throws IOException {
        String line = answer();
        if (!line.startsWith(start + " ")) {
            throw new IOException(name + " said '" + line + "' instead of '" + start + " ...'");
        }
        return line.substring(start.length() + 1);
    }

    public void say(String line) throws IOException {
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        input.write(line);
        input.write('\n');
        input.flush();
    }

    /** Memory that a process of this machine takes; absent where the machine doesn't say. */
    public static OptionalLong residentBytes(long pid) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        if (!Files.exists(status)) {
            return OptionalLong.empty();
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst();
    }

    /** CPU time that a process of this machine has used; zero where it is gone or the machine doesn't say. */
    public static Duration cpu(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** Ends it at once, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
