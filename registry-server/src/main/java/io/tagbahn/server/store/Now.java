// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

/**
 * The time of a write, as the caller's clocks have it.
 *
 * @param nanos of a ticker that never goes back: leases end by it
 * @param epochMillis of the wall clock: generations are measured by it
 */
public record Now(long nanos, long epochMillis) {}
