// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.time.Duration;

/**
 * How many calls of one {@link Caller} may be under way, so that one slow service can't take all of the caller's threads.
 *
 * @param callsMax under way at once; 1..100000
 * @param waitingMax that wait for a place; more are rejected at once; 0..100000
 * @param waitMax how long each may wait; 0 to 1 h
 * @param perHostMax under way at one host; 1..100000
 */
public record BulkheadConfig(int callsMax, int waitingMax, Duration waitMax, int perHostMax) {

    private static final int MAX = 100_000;

    public BulkheadConfig {
        Limits.check("bulkhead.callsMax", callsMax, 1, MAX);
        Limits.check("bulkhead.waitingMax", waitingMax, 0, MAX);
        Limits.check("bulkhead.waitMax", waitMax, Duration.ZERO, Limits.TIME_MAX);
        Limits.check("bulkhead.perHostMax", perHostMax, 1, MAX);
    }

    /** 256 calls, 64 of them at one host; 256 more wait, for 100 ms. */
    public static BulkheadConfig defaults() {
        return new BulkheadConfig(256, 256, Duration.ofMillis(100), 64);
    }

    public BulkheadConfig withCallsMax(int newMax) {
        return new BulkheadConfig(newMax, waitingMax, waitMax, perHostMax);
    }

    public BulkheadConfig withWaiting(int newMax, Duration newWait) {
        return new BulkheadConfig(callsMax, newMax, newWait, perHostMax);
    }

    public BulkheadConfig withPerHostMax(int newMax) {
        return new BulkheadConfig(callsMax, waitingMax, waitMax, newMax);
    }
}
