// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import java.time.Duration;

/**
 * What is to be measured of the chain.
 *
 * @param ratePerSecond of requests that the front answers alone, and as many again of those that go through the chain
 * @param before how long all is well
 * @param slow how long the last process is slow after that
 * @param after how long all is well again
 * @param slowness of the last process
 * @param timeout of a request
 */
public record ChainPlan(
        double ratePerSecond, Duration before, Duration slow, Duration after, Duration slowness, Duration timeout) {}
