// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ends the calls of one event loop at their deadlines; ticks only while there are any. */
final class Deadlines {

    private final EventLoop loop;
    private final LongSupplier nanoTicker;
    private final DeadlineWheel wheel;
    private @Nullable Future<?> tick;

    Deadlines(EventLoop loop, LongSupplier nanoTicker) {
        this.loop = loop;
        this.nanoTicker = nanoTicker;
        wheel = new DeadlineWheel(nanoTicker.getAsLong());
    }

    EventLoop loop() {
        return loop;
    }

    void add(PendingCall<?> call) {
        if (wheel.size() == 0) {
            // Nothing was due in the meantime.
            wheel.skipTo(nanoTicker.getAsLong());
        }
        wheel.add(call);
        tickLater();
    }

    void remove(PendingCall<?> call) {
        wheel.remove(call);
    }

    private void tickLater() {
        if (tick == null) {
            tick = loop.schedule(this::tick, DeadlineWheel.TICK_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void tick() {
        tick = null;
        wheel.advance(nanoTicker.getAsLong(), PendingCall::expire);
        if (wheel.size() > 0) {
            tickLater();
        }
    }
}
