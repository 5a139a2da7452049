// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.Signal;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcLimits;
import io.tagbahn.rpc.RpcLoops;
import io.tagbahn.rpc.RpcServer;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.node.Node;
import io.tagbahn.server.node.NodeConfig;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.wire.WireErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples in {@code thrift/clients}, on the stock Thrift libraries of their languages, against a real node.
 *
 * <p>Where a language is not installed its test is skipped, unless TAGBAHN_REQUIRE_CLIENTS is set.
 */
class OtherLanguagesIT {

    private static final Path THRIFT = Path.of("..", "thrift").toAbsolutePath().normalize();
    private static final Duration RETRY_AFTER = Duration.ofMillis(250);
    private static final Map<String, RegistryException> TROUBLE = Map.of(
            "NotReady", new NotReady("starting", Optional.of(RETRY_AFTER)),
            "Overloaded", new Overloaded("busy", Signal.RETRY_AFTER, Optional.of(RETRY_AFTER)),
            "Unauthorized", new Unauthorized("no token"));

    @TempDir
    Path folder;

    private Node node;
    private RpcLoops loops;
    private RpcServer nodeInTrouble;

    @BeforeEach
    void startNodes() {
        node = Node.start(NodeConfig.parse(Map.of(
                "node.listen",
                "127.0.0.1:0",
                "node.data-dir",
                folder.resolve("data").toString())));
        loops = RpcLoops.start("errors", 1, System::nanoTime);
        nodeInTrouble = RpcServer.start(
                loops,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                errorsByName(),
                RpcLimits.defaults());
    }

    @AfterEach
    void stopNodes() {
        nodeInTrouble.close();
        loops.close();
        node.close();
    }

    @Test
    void nodeJsCallsTheRegistryInEveryForm() {
        Path client = copyOf("node");
        requireOrSkip(succeeds(client, "npm", "--version") && succeeds(client, "node", "--version"), "Node.js");
        run(client, "npm", "ci", "--no-audit", "--no-fund");
        assertThat(run(client, "node", "--test")).contains("# pass 13").contains("# fail 0");
        assertThat(run(client, "node", "example.js")).contains("lease renewed").contains("deregistered");
    }

    @Test
    void pythonCallsTheRegistryInEveryForm() {
        Path client = copyOf("python");
        Optional<String> python = Stream.of("python3", "/usr/bin/python3")
                .filter(command -> succeeds(client, command, "-c", "import thrift"))
                .findFirst();
        requireOrSkip(python.isPresent(), "Python with the thrift package");
        assertThat(run(client, python.orElseThrow(), "-m", "unittest", "-v"))
                .contains("Ran 3 tests")
                .contains("OK");
        assertThat(run(client, python.orElseThrow(), "example.py"))
                .contains("lease renewed")
                .contains("deregistered");
    }

    private static RpcService errorsByName() {
        return RpcService.builder()
                .method("discover", Discovery.discover_args::new, (arguments, call) -> {
                    RegistryException error = Objects.requireNonNull(
                            TROUBLE.get(arguments.getQuery().getServiceName()));
                    return CompletableFuture.completedFuture(WireErrors.fail(new Discovery.discover_result(), error)
                            .orElseThrow());
                })
                .build();
    }

    private Path copyOf(String language) {
        Path source = THRIFT.resolve("clients").resolve(language);
        Path target = folder.resolve(language);
        try (Stream<Path> files = Files.list(source)) {
            Files.createDirectories(target);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target;
    }

    private static void requireOrSkip(boolean present, String what) {
        if (System.getenv("TAGBAHN_REQUIRE_CLIENTS") != null) {
            assertThat(present).as("%s is installed", what).isTrue();
        }
        assumeTrue(present, what + " is not installed");
    }

    private boolean succeeds(Path directory, String... command) {
        try {
            return exitCode(directory, List.of(command), directory.resolveSibling("probe.log")) == 0;
        } catch (IOException e) {
            return false; // there is no such command
        }
    }

    private String run(Path directory, String... command) {
        Path log = directory.resolveSibling("run.log");
        try {
            int code = exitCode(directory, List.of(command), log);
            String output = Files.readString(log, StandardCharsets.UTF_8);
            assertThat(code).as("%s\n%s", List.of(command), output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int exitCode(Path directory, List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .put("TAGBAHN_REGISTRY", "127.0.0.1:" + node.address().getPort());
        builder.environment()
                .put("TAGBAHN_ERRORS", "127.0.0.1:" + nodeInTrouble.address().getPort());
        builder.environment()
                .put(
                        "TAGBAHN_GEN",
                        THRIFT.resolve("target/clients")
                                .resolve(directory.getFileName().toString())
                                .toString());
        // A module that the generated code asks for is found beside the client.
        builder.environment().put("NODE_PATH", directory.resolve("node_modules").toString());
        Process process = builder.start();
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("did not end within 120 s: " + command + "\n" + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return process.exitValue();
    }
}
