// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.server.node.Node;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service in a process of its own, without Jena on its class path, that ends in one way or another. */
class ServiceProcessIT {

    @TempDir
    private Path folder;

    private Node node;

    @BeforeEach
    void start() {
        // Leases so long that an instance which is gone was deregistered.
        node = TestNodes.start(folder, 0, Map.of("lease.min", "10m", "lease.default", "10m"));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void serviceWithoutJenaRegistersDiscoversAndIsGoneWhenItExits() throws Exception {
        Process service = service("exit");
        assertThat(output(service)).contains("without Jena: org.apache.jena.graph.Node", "registered");
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(service.exitValue()).isZero();
        assertThat(node.status().instances()).isZero();
    }

    @Test
    void serviceThatIsToldToEndIsDeregisteredFirst() throws Exception {
        Process service = service("wait");
        try (BufferedReader lines = service.inputReader()) {
            for (String line = lines.readLine(); !"registered".equals(line); line = lines.readLine()) {
                assertThat(line).as("the service ended early").isNotNull();
            }
            assertThat(node.status().instances()).isEqualTo(1);
            service.destroy(); // SIGTERM
            assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(node.status().instances()).isZero();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void serviceThatIsToldToEndDoesNotWaitForARegistryThatIsGone() throws Exception {
        Process service = service("wait");
        try (BufferedReader lines = service.inputReader()) {
            for (String line = lines.readLine(); !"registered".equals(line); line = lines.readLine()) {
                assertThat(line).as("the service ended early").isNotNull();
            }
            node.close();
            service.destroy();
            assertThat(service.waitFor(
                            TestNodes.PATIENCE.plus(Duration.ofSeconds(30)).toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            service.destroyForcibly();
        }
    }

    private Process service(String end) throws IOException {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String classPath = Arrays.stream(own.split(File.pathSeparator))
                .filter(ServiceProcessIT::isNeeded)
                .collect(Collectors.joining(File.pathSeparator));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        WithoutJena.class.getName(),
                        TestNodes.address(node),
                        end)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** This project's own classes, and what docs/client.md says is enough. */
    private static boolean isNeeded(String entry) {
        Path path = Path.of(entry);
        String name = path.getFileName().toString();
        return Files.isDirectory(path)
                || name.startsWith("tagbahn-")
                || name.startsWith("netty-")
                || name.startsWith("libthrift-")
                || name.startsWith("slf4j-api-");
    }

    private static List<String> output(Process process) throws IOException {
        try (BufferedReader lines = process.inputReader()) {
            return lines.lines().toList();
        }
    }
}
