// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of the image, made as the Dockerfile makes it, from the JDK of the tests. */
final class ContainerRuntimeIT {

    private static final long BUILD_SECONDS_MAX = 240;

    @TempDir
    private Path folder;

    @Test
    void javaOfTheImageRunsAWholeCluster() throws Exception {
        Path java = folder.resolve("java");
        assertThat(makeRuntime(java))
                .as(Files.readString(folder.resolve("log")))
                .isZero();
        Map<String, String> variables = Map.of("JAVA_HOME", java.toString(), "TAGBAHN_CDS", "off");
        try (TestingProcess demo = TestingProcess.start(folder, TestingProcess.script(), variables, "demo", "--json")) {
            assertThat(demo.exitCode()).as(demo.err()).isZero();
            assertThat(JsonParser.parseString(demo.out()).getAsJsonObject().getAsJsonArray("matches"))
                    .hasSize(2);
        }
    }

    private int makeRuntime(Path java) throws IOException, InterruptedException {
        String script = ContainerFiles.run("jlink").replace("/opt/java", java.toString());
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script)
                .directory(ContainerFiles.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        Map<String, String> variables = builder.environment();
        variables.merge("PATH", "", (path, none) -> Path.of(System.getProperty("java.home"), "bin") + ":" + path);
        variables.remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        if (!process.waitFor(BUILD_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }
}
