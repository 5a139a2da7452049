// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.time.Duration;

/**
 * What a registration came to in the cluster.
 *
 * @param lease how long it lives without a heartbeat
 * @param copiesMade homes that have the record
 * @param copiesWanted homes that should
 */
public record Written(long generation, Duration lease, int copiesMade, int copiesWanted) {}
