// SPDX-License-Identifier: Apache-2.0
/**
 * Calls to services: {@link io.tagbahn.client.calls.Caller} finds the hosts through the registry, picks one for each call
 * and guards the call.
 *
 * <p>What is decided here is decided by cores that are given time and chance: circuit breaker, room, outliers, choice.
 */
@NullMarked
package io.tagbahn.client.calls;

import org.jspecify.annotations.NullMarked;
