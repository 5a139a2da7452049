// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a node's JVM has logged of its collections, as {@link #JVM_ARGUMENT} has it do. */
final class GcLog {

    /** For a node's JVM. */
    static final String JVM_ARGUMENT = "-Xlog:gc:file=%FOLDER%/gc.log";

    private static final Pattern PAUSE =
            Pattern.compile("Pause (\\w+)\\b.* (\\d+)([KMG])->(\\d+)([KMG])\\(\\d+[KMG]\\) (\\d+[.,]\\d+)ms");

    private final Path file;
    private int linesSeen;

    GcLog(Path folder) {
        this.file = folder.resolve("gc.log");
    }

    /**
     * Pauses.
     *
     * @param heapBytes in use after the last one; 0 where there was none
     */
    record Pauses(int count, int full, double totalMillis, double longestMillis, long heapBytes) {

        static final Pauses NONE = new Pauses(0, 0, 0, 0, 0);

        Pauses plus(Pauses other) {
            return new Pauses(
                    count + other.count,
                    full + other.full,
                    totalMillis + other.totalMillis,
                    Math.max(longestMillis, other.longestMillis),
                    heapBytes + other.heapBytes);
        }
    }

    /** Those since this was last asked; the heap after the last one ever, where there were none since. */
    Pauses sinceLast() throws IOException {
        if (!Files.exists(file)) {
            return Pauses.NONE;
        }
        List<String> lines = Files.readAllLines(file);
        int count = 0;
        int full = 0;
        double total = 0;
        double longest = 0;
        long heapBytes = 0;
        for (int i = 0; i < lines.size(); i++) {
            Matcher pause = PAUSE.matcher(lines.get(i));
            if (!pause.find()) {
                continue;
            }
            heapBytes = Long.parseLong(pause.group(4)) * unit(pause.group(5));
            if (i >= linesSeen) {
                double millis = Double.parseDouble(pause.group(6).replace(',', '.'));
                count++;
                full += pause.group(1).equals("Full") ? 1 : 0;
                total += millis;
                longest = Math.max(longest, millis);
            }
        }
        linesSeen = lines.size();
        return new Pauses(count, full, total, longest, heapBytes);
    }

    private static long unit(String letter) {
        return switch (letter) {
            case "K" -> 1L << 10;
            case "M" -> 1L << 20;
            default -> 1L << 30;
        };
    }
}
