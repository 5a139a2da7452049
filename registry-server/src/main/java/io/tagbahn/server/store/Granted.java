// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.time.Duration;
import java.util.List;

/**
 * What a registration came to.
 *
 * @param lease how long it lives without a heartbeat
 * @param removed entries that the instance had and has no longer, sorted
 */
public record Granted(long generation, Duration lease, List<String> removed) {}
