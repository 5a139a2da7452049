// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import java.time.Duration;

/**
 * The host that an attempt goes to.
 *
 * @param remaining how long the attempt may take: to be passed on to the host, and to be the timeout of what is sent
 * @param attempt 0 for the first one
 * @param distance 0 the caller's own machine, 1 its zone, 2 its region, 3 elsewhere
 */
public record CalledHost(Instance instance, Duration remaining, int attempt, int distance) {

    public HostPort address() {
        return instance.address();
    }
}
