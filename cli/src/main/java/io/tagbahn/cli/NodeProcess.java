// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.bench.chaos.NodeOrder;
import io.tagbahn.bench.chaos.StartedNode;
import io.tagbahn.model.HostPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node in a process of its own: {@code tagbahn serve}, as this distribution has it. */
final class NodeProcess {

    private static final String READY = "ready ";
    private static final String JVM_OPTS = "TAGBAHN_JVM_OPTS";

    private final String id;
    private final Path log;
    private final Process process;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private volatile @Nullable HostPort address;

    private NodeProcess(String id, Path log, Process process) {
        this.id = id;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param order its folder takes its log as well, and that of earlier starts
     */
    static NodeProcess start(NodeOrder order, Environment environment) {
        String id = order.id();
        List<String> line = new ArrayList<>(order.within());
        line.addAll(List.of(
                script().toString(),
                "serve",
                "--id",
                id,
                "--data-dir",
                order.folder().toString()));
        line.addAll(order.options());
        try {
            Files.createDirectories(order.folder());
            Path log = order.folder().resolve("node.log");
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
            Map<String, String> variables = builder.environment();
            variables.put(
                    JVM_OPTS,
                    String.join(" ", order.jvm()) + " "
                            + environment.variable(JVM_OPTS).orElse(""));
            Process process = builder.start();
            process.getOutputStream().close();
            NodeProcess node = new NodeProcess(id, log, process);
            Thread reader = new Thread(node::read, "output-of-" + id);
            reader.setDaemon(true);
            reader.start();
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start node " + id + ": " + e.getMessage(), e);
        }
    }

    /** The script beside the library that this class is in; it becomes the JVM, so that its pid is the node's. */
    private static Path script() {
        try {
            Path library = Path.of(NodeProcess.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path home = library.toAbsolutePath().getParent();
            Path script = home == null ? library : home.resolveSibling("bin").resolve("tagbahn");
            if (!Files.isExecutable(script)) {
                throw new UncheckedIOException(new IOException(
                        "no " + script + ": nodes in processes of their own need the whole distribution"));
            }
            return script;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = next(lines); line != null; line = next(lines)) {
                if (line.startsWith(READY)) {
                    address = HostPort.parse(line.substring(READY.length()));
                    ready.complete(true);
                }
            }
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
        ready.complete(false);
    }

    private static @Nullable String next(BufferedReader lines) throws IOException {
        return lines.readLine();
    }

    String id() {
        return id;
    }

    /** As measurements see it. */
    StartedNode started() {
        return new StartedNode(process, ready);
    }

    /** Where it answers. */
    HostPort address() {
        HostPort known = address;
        if (known == null) {
            throw new IllegalStateException(id + " is not ready");
        }
        return known;
    }

    /** For its data and its log. */
    Path folder() {
        return Objects.requireNonNull(log.getParent());
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isReady() {
        return ready.getNow(false);
    }

    /** Completes when the process has ended. */
    CompletableFuture<Process> ended() {
        return process.onExit();
    }

    /** How it ended, for people. */
    String end() {
        return "node " + id + " (pid " + process.pid() + ") has ended with exit code " + process.exitValue()
                + "; its log is " + log;
    }

    /** Ends it at once, without a word to others. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Has it leave its cluster and end; ends it by force where that takes longer. */
    boolean stop(Duration longest) {
        process.destroy();
        try {
            if (process.waitFor(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        return false;
    }
}
