// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.time.Duration;

/** What a registration came to: its generation, and how long it lives without a heartbeat. */
public record Granted(long generation, Duration lease) {}
