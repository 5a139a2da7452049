// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How answers of discovery are kept for when the registry can't be asked, or isn't.
 *
 * @param refreshEvery 0: each call asks the registry. Otherwise calls are answered from memory, and what is being asked for
 *     is asked anew in the background at this interval, however often it is asked for; 10 ms to 1 h
 * @param idleAfter what was not asked for during this time is no longer asked anew; 1 s to 24 h
 * @param refillTime how long after the registry could not be asked its answers are taken to lack instances that have
 *     not been registered again; 0 to 1 h
 * @param entriesMax answers that are kept, 0 (none) to 1000000; past it, those go of which the last use is longest ago
 * @param bytesMax about as much memory do they take; 0 to 2^31
 * @param file where they outlive the process
 */
public record KeptConfig(
        Duration refreshEvery,
        Duration idleAfter,
        Duration refillTime,
        int entriesMax,
        long bytesMax,
        Optional<Path> file) {

    private static final Duration REFRESH_MIN = Duration.ofMillis(10);

    public KeptConfig {
        if (!refreshEvery.isZero()) {
            Ranges.check("kept.refreshEvery", refreshEvery, REFRESH_MIN, Duration.ofHours(1));
        }
        Ranges.check("kept.idleAfter", idleAfter, Duration.ofSeconds(1), Duration.ofHours(24));
        Ranges.check("kept.refillTime", refillTime, Duration.ZERO, Duration.ofHours(1));
        Ranges.check("kept.entriesMax", entriesMax, 0, 1_000_000);
        Ranges.check("kept.bytesMax", bytesMax, 0, 1L << 31);
    }

    /** Each call asks; 1000 answers or 64 MB are kept, in memory only; answers are incomplete for 30 s after an outage. */
    public static KeptConfig defaults() {
        return new KeptConfig(
                Duration.ZERO, Duration.ofMinutes(10), Duration.ofSeconds(30), 1_000, 64L << 20, Optional.empty());
    }

    /** Nothing is kept: where the registry can't be asked, calls fail. */
    public KeptConfig none() {
        return new KeptConfig(Duration.ZERO, idleAfter, refillTime, 0, bytesMax, Optional.empty());
    }

    /** Calls are answered from memory, which is brought up to date at this interval. */
    public KeptConfig withRefreshEvery(Duration newEvery) {
        return new KeptConfig(newEvery, idleAfter, refillTime, entriesMax, bytesMax, file);
    }

    public KeptConfig withIdleAfter(Duration newIdle) {
        return new KeptConfig(refreshEvery, newIdle, refillTime, entriesMax, bytesMax, file);
    }

    public KeptConfig withRefillTime(Duration newTime) {
        return new KeptConfig(refreshEvery, idleAfter, newTime, entriesMax, bytesMax, file);
    }

    public KeptConfig withMax(int newEntries, long newBytes) {
        return new KeptConfig(refreshEvery, idleAfter, refillTime, newEntries, newBytes, file);
    }

    /** Kept in this file as well, which is written anew every few seconds and read by {@link RegistryClient#connect}. */
    public KeptConfig withFile(Path newFile) {
        return new KeptConfig(refreshEvery, idleAfter, refillTime, entriesMax, bytesMax, Optional.of(newFile));
    }
}
