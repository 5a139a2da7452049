// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import io.tagbahn.model.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What is to be measured.
 *
 * @param registry nodes that run already; where empty, a cluster is started for the measurement
 * @param nodes of that cluster
 * @param replicas nodes that hold each entry
 * @param mixes each measured by itself
 * @param tagsPerCall in a lookup or a registration
 * @param tags registered beforehand
 * @param zipfExponent 0 where all tags are asked for alike; 1 where the n-th is asked for 1/n as often as the first
 * @param connections of all processes together
 * @param inFlight calls on each connection, in a closed loop
 * @param rates an open loop each; where empty, a closed loop
 * @param sweep whether to look for the highest rate that is kept
 * @param kneeP99 the 99th percentile up to which a rate counts as kept
 * @param processes that make the load
 */
public record LoadPlan(
        List<HostPort> registry,
        int nodes,
        int replicas,
        List<Mix> mixes,
        int tagsPerCall,
        int tags,
        double zipfExponent,
        int connections,
        int inFlight,
        List<Double> rates,
        boolean sweep,
        Duration kneeP99,
        int processes,
        Duration warmUp,
        Duration length) {

    public LoadPlan {
        registry = List.copyOf(registry);
        mixes = List.copyOf(mixes);
        rates = List.copyOf(rates);
        if (mixes.isEmpty() || tagsPerCall < 1 || processes < 1 || connections < processes || inFlight < 1) {
            throw new IllegalArgumentException("mixes " + mixes + ", tagsPerCall " + tagsPerCall + ", processes "
                    + processes + ", connections " + connections + ", inFlight " + inFlight);
        }
        if (rates.stream().anyMatch(rate -> !(rate > 0)) || length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("rates " + rates + ", length " + length);
        }
    }

    /** The rate of a stage, where it has one. */
    static OptionalDouble rate(Stage stage) {
        return stage instanceof Stage.AtRate open ? OptionalDouble.of(open.perSecond()) : OptionalDouble.empty();
    }
}
