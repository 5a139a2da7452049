// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tagbahn.bench.load.GcLog.Pauses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GcLogTest {

    @TempDir
    private Path folder;

    @Test
    void pausesSinceTheLastTimeAreCountedAndTheHeapIsThatAfterTheLast() throws IOException {
        Path file = folder.resolve("gc.log");
        GcLog log = new GcLog(folder);
        assertThat(log.sinceLast()).isEqualTo(Pauses.NONE);
        Files.writeString(file, """
                [0.005s][info][gc] Using G1
                [0.714s][info][gc] GC(0) Pause Young (Concurrent Start) (Metadata GC Threshold) 20M->5M(32M) 6.125ms
                [0.716s][info][gc] GC(1) Concurrent Mark Cycle
                [0.720s][info][gc] GC(1) Pause Remark 7M->7M(36M) 1.500ms
                """);
        Pauses first = log.sinceLast();
        assertThat(first.count()).isEqualTo(2);
        assertThat(first.full()).isZero();
        assertThat(first.totalMillis()).isCloseTo(7.625, within(1e-9));
        assertThat(first.longestMillis()).isEqualTo(6.125);
        assertThat(first.heapBytes()).isEqualTo(7L << 20);
        assertThat(log.sinceLast()).isEqualTo(new Pauses(0, 0, 0, 0, 7L << 20));
        Files.writeString(
                file,
                "[9.1s][info][gc] GC(2) Pause Full (System.gc()) 1G->900K(2G) 50,250ms\n",
                StandardOpenOption.APPEND);
        assertThat(log.sinceLast()).isEqualTo(new Pauses(1, 1, 50.25, 50.25, 900L << 10));
    }
}
