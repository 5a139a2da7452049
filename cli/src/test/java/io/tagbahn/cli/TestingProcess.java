// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The distribution's {@code bin/tagbahn} as a process of its own. */
final class TestingProcess implements AutoCloseable {

    /** Generous: what is waited for usually takes a second, and machines that run tests are busy. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(90);

    private static final Path DISTRIBUTION = Path.of("target", "tagbahn").toAbsolutePath();

    private final Process process;
    private final Path out;
    private final Path err;

    private TestingProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static Path script() {
        return DISTRIBUTION.resolve("bin").resolve("tagbahn");
    }

    /** Starts the command with its output in files of a folder. */
    static TestingProcess start(Path folder, String... args) {
        return start(folder, script(), Map.of(), args);
    }

    static TestingProcess start(Path folder, Path program, Map<String, String> variables, String... args) {
        List<String> line = new ArrayList<>();
        line.add(program.toString());
        line.addAll(List.of(args));
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            ProcessBuilder builder = new ProcessBuilder(line)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
            builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
            builder.environment().remove(RegistryOptions.VARIABLE);
            // What the JVM of the tests was told is not for this one, and it would say so on standard error.
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            builder.environment().putAll(variables);
            return new TestingProcess(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    /** Waits for a line of standard output that begins so, and returns the rest of it. */
    String awaitLine(String start) {
        await().atMost(WAIT_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> out().contains("\n" + start) || out().startsWith(start) || !process.isAlive());
        return out().lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line '" + start + "': " + out() + err()))
                .substring(start.length());
    }

    /** Sends SIGTERM. */
    TestingProcess terminate() {
        process.destroy();
        return this;
    }

    int exitCode() {
        return exitCode(WAIT_MAX);
    }

    int exitCode(Duration longest) {
        try {
            assertThat(process.waitFor(longest.toSeconds(), TimeUnit.SECONDS))
                    .as("%s has ended; it said %s%s", process, out(), err())
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
