// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

/**
 * How much one call may ask for; past a limit it is refused, and the error names the limit.
 *
 * @param tagsPerQueryMax tags in one tagDiscover
 * @param leasesPerHeartbeatMax leases in one heartbeat
 * @param namesPerPageMax entries on one page of serviceNames, and how many there are where a query says nothing
 * @param answerBytesMax bytes of an answer, without its envelope
 */
public record ServiceLimits(int tagsPerQueryMax, int leasesPerHeartbeatMax, int namesPerPageMax, int answerBytesMax) {

    /** The smallest {@code answerBytesMax}: one entry has to fit. */
    public static final int ANSWER_BYTES_LEAST = 32 * 1024;

    public ServiceLimits {
        atLeast(1, "tagsPerQueryMax", tagsPerQueryMax);
        atLeast(1, "leasesPerHeartbeatMax", leasesPerHeartbeatMax);
        atLeast(1, "namesPerPageMax", namesPerPageMax);
        atLeast(ANSWER_BYTES_LEAST, "answerBytesMax", answerBytesMax);
    }

    public static ServiceLimits defaults() {
        return new ServiceLimits(10_000, 10_000, 100_000, 16_000_000);
    }

    private static void atLeast(int least, String name, int value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " " + value + " < " + least);
        }
    }
}
