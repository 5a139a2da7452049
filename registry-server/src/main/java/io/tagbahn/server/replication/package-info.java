// SPDX-License-Identifier: Apache-2.0
/**
 * What has to be sent to whom so that owners hold the same: plans of writes, hints for nodes that could not be reached,
 * digests and differences for repair. Pure: no I/O, no clock, no threads; what an entry is, is the caller's business.
 */
@NullMarked
package io.tagbahn.server.replication;

import org.jspecify.annotations.NullMarked;
