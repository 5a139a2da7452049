// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.Map;

/**
 * What a server has counted since it started.
 *
 * @param connectionsOpen open now
 * @param connectionsAccepted in all, without those refused
 * @param callsInFlight begun and not answered, now
 * @param calls in all
 * @param protocolErrors calls answered with PROTOCOL_ERROR
 * @param unknownMethods calls of methods that don't exist
 * @param handlerFailures calls answered with INTERNAL_ERROR
 * @param repliesTooLong answers that passed the frame limit
 * @param bytesIn read from connections
 * @param bytesOut written to connections
 * @param closes connections ended, by reason
 */
public record RpcServerStats(
        int connectionsOpen,
        long connectionsAccepted,
        int callsInFlight,
        long calls,
        long protocolErrors,
        long unknownMethods,
        long handlerFailures,
        long repliesTooLong,
        long bytesIn,
        long bytesOut,
        Map<CloseReason, Long> closes) {

    public RpcServerStats {
        closes = Map.copyOf(closes);
    }

    /** Connections ended for a reason. */
    public long closes(CloseReason reason) {
        return closes.getOrDefault(reason, 0L);
    }
}
