// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what happens, and tells the listener. */
final class CallTally {

    /** What is counted. */
    enum Count {
        CALLS,
        ANSWERED,
        FAILED,
        OUTCOME_UNKNOWN,
        NOT_SENT,
        HOST_REJECTED,
        NO_HOSTS,
        DEADLINE_EXCEEDED,
        BULKHEAD_FULL,
        BREAKERS_OPEN,
        THROTTLED,
        ATTEMPTS,
        RETRIES,
        BUDGET_SPENT,
        BREAKERS_OPENED,
        EJECTIONS
    }

    private static final Logger log = LoggerFactory.getLogger(CallTally.class);

    private final CallListener listener;
    private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
    private final List<LongAdder> byDistance =
            Stream.generate(LongAdder::new).limit(HostSet.TIERS).toList();

    CallTally(CallListener listener) {
        this.listener = listener;
        for (Count each : Count.values()) {
            counts.put(each, new LongAdder());
        }
    }

    void count(Count what) {
        adder(what).increment();
    }

    void attempt(int distance) {
        count(Count.ATTEMPTS);
        byDistance.get(distance).increment();
    }

    void tell(CallEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException e) {
            log.warn("a listener failed", e);
        }
    }

    CallCounters counters() {
        return new CallCounters(
                sum(Count.CALLS),
                sum(Count.ANSWERED),
                sum(Count.FAILED),
                sum(Count.OUTCOME_UNKNOWN),
                sum(Count.NOT_SENT),
                sum(Count.HOST_REJECTED),
                sum(Count.NO_HOSTS),
                sum(Count.DEADLINE_EXCEEDED),
                sum(Count.BULKHEAD_FULL),
                sum(Count.BREAKERS_OPEN),
                sum(Count.THROTTLED),
                sum(Count.ATTEMPTS),
                sum(Count.RETRIES),
                sum(Count.BUDGET_SPENT),
                sum(Count.BREAKERS_OPENED),
                sum(Count.EJECTIONS),
                byDistance.stream().map(LongAdder::sum).toList());
    }

    private long sum(Count what) {
        return adder(what).sum();
    }

    private LongAdder adder(Count what) {
        LongAdder adder = counts.get(what);
        if (adder == null) {
            throw new IllegalStateException("not counted: " + what);
        }
        return adder;
    }
}
