// SPDX-License-Identifier: Apache-2.0
/**
 * What a node holds: registrations, the postings derived from them, leases, tombstones, operators' words.
 *
 * <p>A pure core: no I/O, no clock, no threads. One owner writes, and passes the time in; any number of threads read,
 * without locks.
 */
@NullMarked
package io.tagbahn.server.store;

import org.jspecify.annotations.NullMarked;
