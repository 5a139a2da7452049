// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChurnIT {

    @Test
    void memoryOfServicesThatAreGoneIsFreed(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChurningNode.class.getName(),
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s", lines).isZero();
        String[] before = line(lines, "before ");
        String[] after = line(lines, "after ");

        assertThat(after[2]).as("entries").isEqualTo("0");
        long bytesBefore = Long.parseLong(before[1]);
        long bytesAfter = Long.parseLong(after[1]);
        assertThat(bytesAfter).isLessThan(bytesBefore + bytesBefore / 10);
    }

    private static String[] line(List<String> lines, String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lines))
                .split(" ", -1);
    }
}
