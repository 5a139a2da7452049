// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.InvalidArgument;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link CallContext} on the wire. */
public final class WireContext {

    private WireContext() {}

    /** @throws InvalidArgument with a field below {@code context} */
    public static CallContext fromWire(io.tagbahn.thrift.@Nullable CallContext wire) {
        if (wire == null) {
            return CallContext.NONE;
        }
        try {
            return new CallContext(
                    wire.isSetDeadlineMillis()
                            ? Optional.of(Duration.ofMillis(wire.getDeadlineMillis()))
                            : Optional.empty(),
                    fromWire(wire.getCriticality()),
                    Optional.ofNullable(wire.getCaller()),
                    Optional.ofNullable(wire.getTraceParent()),
                    Optional.ofNullable(wire.getToken()),
                    wire.isSetAttempt() ? wire.getAttempt() : 0);
        } catch (InvalidArgument e) {
            throw e.within("context");
        }
    }

    public static io.tagbahn.thrift.CallContext toWire(CallContext context) {
        io.tagbahn.thrift.CallContext wire = new io.tagbahn.thrift.CallContext();
        context.deadline().ifPresent(remaining -> wire.setDeadlineMillis(remaining.toMillis()));
        wire.setCriticality(
                switch (context.criticality()) {
                    case SHEDDABLE -> io.tagbahn.thrift.Criticality.SHEDDABLE;
                    case NORMAL -> io.tagbahn.thrift.Criticality.NORMAL;
                    case CRITICAL -> io.tagbahn.thrift.Criticality.CRITICAL;
                });
        context.caller().ifPresent(wire::setCaller);
        context.traceParent().ifPresent(wire::setTraceParent);
        context.token().ifPresent(wire::setToken);
        if (context.attempt() > 0) {
            wire.setAttempt(context.attempt());
        }
        return wire;
    }

    private static Criticality fromWire(io.tagbahn.thrift.@Nullable Criticality wire) {
        if (wire == null) {
            return Criticality.NORMAL;
        }
        return switch (wire) {
            case SHEDDABLE -> Criticality.SHEDDABLE;
            case NORMAL -> Criticality.NORMAL;
            case CRITICAL -> Criticality.CRITICAL;
        };
    }
}
