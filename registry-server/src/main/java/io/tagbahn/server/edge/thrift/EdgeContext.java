// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.CallContext;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.wire.WireContext;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The context of a call as it stands when the call is begun. */
final class EdgeContext {

    private EdgeContext() {}

    /** The caller's context, its deadline less the time that the call has already spent here. */
    static CallContext of(io.tagbahn.thrift.@Nullable CallContext wire, RpcCall call, LongSupplier ticker) {
        CallContext context = WireContext.fromWire(wire);
        if (context.deadline().isEmpty()) {
            return context;
        }
        Duration waited = Duration.ofNanos(ticker.getAsLong() - call.arrivedNanos());
        Duration remaining = context.deadline().get().minus(waited);
        return context.withDeadline(remaining.isNegative() ? Duration.ZERO : remaining);
    }
}
