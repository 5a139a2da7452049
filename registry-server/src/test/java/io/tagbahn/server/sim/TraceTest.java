// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceTest {

    private static final Path TRACES = Path.of("src/test/resources/traces");

    static List<Path> traces() throws IOException {
        try (Stream<Path> files = Files.list(TRACES)) {
            return files.filter(file -> file.toString().endsWith(".trace"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("traces")
    void everyStepHolds(Path file) throws IOException {
        Trace trace = new Trace(file.getFileName().toString());
        trace.run(Files.readAllLines(file));
        assertThat(trace.steps()).isGreaterThan(3);
    }
}
