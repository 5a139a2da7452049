// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.overload;

import io.tagbahn.bench.LoopOutcome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What became of calls that were offered; mutable while they are. */
final class Offered {

    /** A slice of time in which calls are counted by when they were due. */
    static final long SLOT_MILLIS = 100;

    /** Calls that were due, without those that were made again. */
    long calls;

    /** Requests that were sent. */
    long sent;

    /** Answers that came while the caller waited. */
    long good;

    long refused;
    long timedOut;

    /** Requests that could not be sent, as the connection took no more. */
    long unsent;

    /** Calls that the caller kept back by itself. */
    long keptBack;

    /** Other errors. */
    long failed;

    final Histogram latencyNanos = new Histogram(LoopOutcome.LATENCY_NANOS_MAX, 3);
    private final long[] dueInSlot;
    private final long[] goodInSlot;

    Offered(int slots) {
        this(new long[slots], new long[slots]);
    }

    private Offered(long[] dueInSlot, long[] goodInSlot) {
        this.dueInSlot = dueInSlot;
        this.goodInSlot = goodInSlot;
    }

    void due(int slot) {
        calls++;
        dueInSlot[Math.min(slot, dueInSlot.length - 1)]++;
    }

    void good(int slot, long nanos) {
        good++;
        latencyNanos.recordValue(Math.max(0, Math.min(nanos, LoopOutcome.LATENCY_NANOS_MAX)));
        goodInSlot[Math.min(slot, goodInSlot.length - 1)]++;
    }

    int slots() {
        return dueInSlot.length;
    }

    long dueIn(int slot) {
        return dueInSlot[slot];
    }

    long goodIn(int slot) {
        return goodInSlot[slot];
    }

    /** As another process is told: a line of text. */
    String line() {
        ByteBuffer bytes = ByteBuffer.allocate(latencyNanos.getNeededByteBufferCapacity());
        int length = latencyNanos.encodeIntoCompressedByteBuffer(bytes);
        return String.join(
                " ",
                Long.toString(calls),
                Long.toString(sent),
                Long.toString(good),
                Long.toString(refused),
                Long.toString(timedOut),
                Long.toString(unsent),
                Long.toString(keptBack),
                Long.toString(failed),
                text(dueInSlot),
                text(goodInSlot),
                Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length)));
    }

    private static String text(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    static Offered of(String line) {
        String[] words = line.split(" ", -1);
        Offered offered = new Offered(numbers(words[8]), numbers(words[9]));
        offered.calls = Long.parseLong(words[0]);
        offered.sent = Long.parseLong(words[1]);
        offered.good = Long.parseLong(words[2]);
        offered.refused = Long.parseLong(words[3]);
        offered.timedOut = Long.parseLong(words[4]);
        offered.unsent = Long.parseLong(words[5]);
        offered.keptBack = Long.parseLong(words[6]);
        offered.failed = Long.parseLong(words[7]);
        try {
            offered.latencyNanos.add(Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(words[10])), 0));
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("line '" + line + "'", e);
        }
        return offered;
    }
}
