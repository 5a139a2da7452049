// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Instance;
import java.time.Duration;

/**
 * A host as a {@link Caller} sees it at the moment.
 *
 * @param distance 0 the caller's own machine, 1 its zone, 2 its region, 3 elsewhere
 * @param pending calls of this caller that are under way there
 * @param room calls of this caller that it seems to bear; below 1, the share of calls that go there although it is near
 * @param latency a moving average that remembers peaks; zero where nothing is known
 * @param breaker CLOSED, OPEN or HALF_OPEN
 * @param ejected whether it is left out at the moment
 */
public record HostView(
        Instance instance, int distance, int pending, double room, Duration latency, String breaker, boolean ejected) {}
