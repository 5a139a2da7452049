// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line a minute at most about what others can cause as often as they like. */
final class RareWarning {

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger log = LoggerFactory.getLogger(RareWarning.class);

    private final LongSupplier ticker;
    private long nextNanos;
    private long leftOut;

    RareWarning(LongSupplier ticker) {
        this.ticker = ticker;
        this.nextNanos = ticker.getAsLong();
    }

    synchronized void say(String what) {
        long nowNanos = ticker.getAsLong();
        if (nowNanos - nextNanos < 0) {
            leftOut++;
            return;
        }
        nextNanos = nowNanos + INTERVAL_NANOS;
        log.warn("{} ({} more since the last such line)", what, leftOut);
        leftOut = 0;
    }
}
