// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one server, shared by its connections. */
final class ServerCounters {

    final AtomicInteger connections = new AtomicInteger();
    final AtomicLong inboundBytes = new AtomicLong();
    final LongAdder accepted = new LongAdder();
    final LongAdder calls = new LongAdder();
    final LongAdder protocolErrors = new LongAdder();
    final LongAdder unknownMethods = new LongAdder();
    final LongAdder handlerFailures = new LongAdder();
    final LongAdder repliesTooLong = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    private final Map<CloseReason, LongAdder> closes = new EnumMap<>(CloseReason.class);

    ServerCounters() {
        for (CloseReason reason : CloseReason.values()) {
            closes.put(reason, new LongAdder());
        }
    }

    void closed(CloseReason reason) {
        LongAdder counter = closes.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    RpcServerStats snapshot(int callsInFlight) {
        Map<CloseReason, Long> byReason = new EnumMap<>(CloseReason.class);
        closes.forEach((reason, counter) -> byReason.put(reason, counter.sum()));
        return new RpcServerStats(
                connections.get(),
                accepted.sum(),
                callsInFlight,
                calls.sum(),
                protocolErrors.sum(),
                unknownMethods.sum(),
                handlerFailures.sum(),
                repliesTooLong.sum(),
                bytesIn.sum(),
                bytesOut.sum(),
                byReason);
    }
}
