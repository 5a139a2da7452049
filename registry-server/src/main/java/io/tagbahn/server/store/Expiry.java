// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

/**
 * What a tick came to.
 *
 * @param expired instances whose leases had ended, now gone
 * @param more whether leases that have ended are left for the next tick
 */
public record Expiry(int expired, boolean more) {}
