// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.calls;

import io.tagbahn.client.calls.CallerConfig;
import io.tagbahn.client.calls.RetryConfig;
import io.tagbahn.client.calls.SpreadConfig;
import io.tagbahn.model.Locality;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Which instance of the next stage a request of the pipeline goes to. */
public enum Route {
    /** Any, by chance. */
    RANDOM,
    /** The nearest, whatever the state it is in: plain affinity. */
    NEAREST,
    /** What the library does by default: the nearest that has room. */
    NEAR;

    CallerConfig config(String zone, Duration timeout) {
        Locality here = new Locality(Optional.empty(), Optional.of(zone), Optional.empty());
        return switch (this) {
            case RANDOM ->
                CallerConfig.unguarded()
                        .withTimeout(timeout)
                        .withSpread(SpreadConfig.defaults().chosenBy(SpreadConfig.Choice.RANDOM));
            case NEAREST ->
                CallerConfig.unguarded()
                        .withTimeout(timeout)
                        .withSpread(SpreadConfig.defaults().near(here).withSpillOver(false));
            case NEAR ->
                CallerConfig.defaults()
                        .withTimeout(timeout)
                        .withRetry(RetryConfig.none()) // of equal means: one attempt for each
                        .near(here);
        };
    }

    /** As it is written in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
