// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.time.Duration;

/**
 * How a client infers by itself.
 *
 * @param tagsMaxAge how long fetched entries are used again; 0 fetches them for each query, as the thesis does; at most
 *     24 h
 * @param entriesMax most entries that are fetched; 1..100000000
 * @param tagsPerCallMax matching tags that one call asks the hosts of; 1..1000000
 * @param callTimeout deadline of one of its calls, which carry up to 16 MB; 1 ms to 10 min
 * @param timeout deadline of a query, all its calls and the inference together; 1 ms to 1 h
 */
public record InferenceConfig(
        Duration tagsMaxAge, int entriesMax, int tagsPerCallMax, Duration callTimeout, Duration timeout) {

    public InferenceConfig {
        Ranges.check("inference.tagsMaxAge", tagsMaxAge, Duration.ZERO, Duration.ofHours(24));
        Ranges.check("inference.entriesMax", entriesMax, 1, 100_000_000);
        Ranges.check("inference.tagsPerCallMax", tagsPerCallMax, 1, 1_000_000);
        Ranges.check("inference.callTimeout", callTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
        Ranges.check("inference.timeout", timeout, Duration.ofMillis(1), Duration.ofHours(1));
    }

    /** Entries fetched afresh for each query, at most a million of them; 10000 tags a call; 5 s for a call, 30 s in all. */
    public static InferenceConfig defaults() {
        return new InferenceConfig(Duration.ZERO, 1_000_000, 10_000, Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    public InferenceConfig withTagsMaxAge(Duration newAge) {
        return new InferenceConfig(newAge, entriesMax, tagsPerCallMax, callTimeout, timeout);
    }

    public InferenceConfig withEntriesMax(int newMax) {
        return new InferenceConfig(tagsMaxAge, newMax, tagsPerCallMax, callTimeout, timeout);
    }

    public InferenceConfig withTagsPerCallMax(int newMax) {
        return new InferenceConfig(tagsMaxAge, entriesMax, newMax, callTimeout, timeout);
    }

    public InferenceConfig withCallTimeout(Duration newTimeout) {
        return new InferenceConfig(tagsMaxAge, entriesMax, tagsPerCallMax, newTimeout, timeout);
    }

    public InferenceConfig withTimeout(Duration newTimeout) {
        return new InferenceConfig(tagsMaxAge, entriesMax, tagsPerCallMax, callTimeout, newTimeout);
    }
}
