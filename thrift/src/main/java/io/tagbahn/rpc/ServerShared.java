// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of one server have in common. */
final class ServerShared {

    private static final Logger log = LoggerFactory.getLogger(RpcServer.class);

    final RpcService service;
    final RpcLimits limits;
    final MessageLimits messageLimits;
    final CallGate gate;
    final RpcLoops loops;
    final LongSupplier nanoTicker;

    /** Of encrypted connections; absent where they are plain. */
    final Optional<RpcTls> tls;

    final CallPermits permits;
    final ServerCounters counters = new ServerCounters();

    /** Protocols keep no state between messages: the connections of a loop share them. */
    private final FastThreadLocal<WireProtocol> binary = new FastThreadLocal<>() {
        @Override
        protected WireProtocol initialValue() {
            return WireProtocol.of(false, messageLimits);
        }
    };

    private final FastThreadLocal<WireProtocol> compact = new FastThreadLocal<>() {
        @Override
        protected WireProtocol initialValue() {
            return WireProtocol.of(true, messageLimits);
        }
    };

    /** Only asked for on a loop, which is then the one whose thread it is. */
    private final FastThreadLocal<CallGate.@Nullable Door> doors = new FastThreadLocal<>();

    private final Map<CloseReason, LogBudget> closeLogs = new EnumMap<>(CloseReason.class);
    private final LogBudget failureLog;

    ServerShared(RpcService service, RpcLimits limits, Optional<RpcTls> tls, CallGate gate, RpcLoops loops) {
        this.service = service;
        this.limits = limits;
        this.tls = tls;
        this.gate = gate;
        this.loops = loops;
        this.nanoTicker = loops.nanoTicker();
        messageLimits = limits.message();
        permits = new CallPermits(limits.callsInFlightMax());
        for (CloseReason reason : CloseReason.values()) {
            closeLogs.put(reason, new LogBudget(nanoTicker));
        }
        failureLog = new LogBudget(nanoTicker);
    }

    WireProtocol protocol(boolean compactForm) {
        return compactForm ? compact.get() : binary.get();
    }

    /** The door of the loop, on whose thread this runs. */
    CallGate.Door door(EventLoop loop) {
        CallGate.Door door = doors.get();
        if (door == null) {
            door = gate.door(loops.times(loop));
            doors.set(door);
        }
        return door;
    }

    /** Says that a connection was closed, once a second for each reason. */
    void logClose(CloseReason reason, Object peer, String why) {
        LogBudget budget = closeLogs.get(reason);
        long suppressed = budget == null ? -1 : budget.take();
        if (suppressed >= 0) {
            log.info("closed {}: {}: {} ({} more since the last such line)", peer, reason, why, suppressed);
        }
    }

    /** Says that a handler failed, once a second. */
    void logFailure(String method, Throwable failure) {
        long suppressed = failureLog.take();
        if (suppressed >= 0) {
            log.warn("{} failed ({} more since the last such line)", method, suppressed, failure);
        }
    }
}
