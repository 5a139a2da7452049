// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Unauthorized;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.TFieldIdEnum;
import org.apache.thrift.meta_data.FieldMetaData;
import org.apache.thrift.meta_data.StructMetaData;

/**
 * Typed errors on the wire, and their place in the generated {@code *_result} structs.
 *
 * <p>Each method of the IDL declares the errors that it may throw; the generated result has a field for each. The
 * field is found once for each pair of types and kept.
 */
public final class WireErrors {

    private static final Map<Slot, Short> SLOTS = new ConcurrentHashMap<>();
    private static final short NONE = -1;

    private record Slot(Class<?> result, Class<?> error) {}

    private WireErrors() {}

    /**
     * Puts an error into the result of a method.
     *
     * @param result an empty generated {@code *_result}
     * @return the same result, holding the error; absent where the method does not declare this kind of error
     */
    public static <F extends TFieldIdEnum, R extends TBase<R, F>> Optional<R> fail(R result, RegistryException error) {
        Optional<TException> wire = toWire(error);
        if (wire.isEmpty()) {
            return Optional.empty();
        }
        Slot slot = new Slot(result.getClass(), wire.get().getClass());
        short id = SLOTS.computeIfAbsent(slot, WireErrors::findSlot);
        if (id == NONE) {
            return Optional.empty();
        }
        result.setFieldValue(result.fieldForId(id), wire.get());
        return Optional.of(result);
    }

    /** The error that the result of a method holds; absent where the call succeeded. */
    public static <F extends TFieldIdEnum, R extends TBase<R, F>> Optional<RegistryException> error(R result) {
        for (TFieldIdEnum declared : fields(result.getClass()).keySet()) {
            if (declared.getThriftFieldId() == 0) {
                continue; // the success value
            }
            F field = result.fieldForId(declared.getThriftFieldId());
            if (result.isSet(field) && result.getFieldValue(field) instanceof TException error) {
                return Optional.of(fromWire(error));
            }
        }
        return Optional.empty();
    }

    private static Short findSlot(Slot slot) {
        for (Map.Entry<? extends TFieldIdEnum, FieldMetaData> entry :
                fields(slot.result()).entrySet()) {
            if (entry.getValue().valueMetaData instanceof StructMetaData struct && struct.structClass == slot.error()) {
                return entry.getKey().getThriftFieldId();
            }
        }
        return NONE;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the generated types register themselves under their own class
    private static Map<? extends TFieldIdEnum, FieldMetaData> fields(Class<?> result) {
        return FieldMetaData.getStructMetaDataMap((Class) result);
    }

    /** Absent for what only a client can know, and for what the IDL has no words for. */
    private static Optional<TException> toWire(RegistryException error) {
        String message = Objects.requireNonNullElse(error.getMessage(), "");
        if (error instanceof InvalidArgument e) {
            return Optional.of(new io.tagbahn.thrift.InvalidArgument(e.field(), e.reason()));
        } else if (error instanceof InvalidServiceName e) {
            return Optional.of(new io.tagbahn.thrift.InvalidServiceName(message, e.serviceName()));
        } else if (error instanceof NoPeersAvailable e) {
            return Optional.of(new io.tagbahn.thrift.NoPeersAvailable(message, e.serviceName()));
        } else if (error instanceof NotFound) {
            return Optional.of(new io.tagbahn.thrift.NotFound(message));
        } else if (error instanceof NotReady e) {
            io.tagbahn.thrift.NotReady wire = new io.tagbahn.thrift.NotReady(message);
            e.retryAfter().ifPresent(wait -> wire.setRetryAfterMillis(wait.toMillis()));
            return Optional.of(wire);
        } else if (error instanceof Overloaded e) {
            io.tagbahn.thrift.Overloaded wire = new io.tagbahn.thrift.Overloaded(toWire(e.signal()));
            e.retryAfter().ifPresent(wait -> wire.setRetryAfterMillis(wait.toMillis()));
            return Optional.of(wire.setMessage(message));
        } else if (error instanceof StaleGeneration e) {
            return Optional.of(new io.tagbahn.thrift.StaleGeneration(message, e.current()));
        } else if (error instanceof Unauthorized) {
            return Optional.of(new io.tagbahn.thrift.Unauthorized(message));
        }
        return Optional.empty();
    }

    private static RegistryException fromWire(TException error) {
        String message = Objects.requireNonNullElse(error.getMessage(), "");
        if (error instanceof io.tagbahn.thrift.InvalidArgument e) {
            return new InvalidArgument(e.getField(), message);
        } else if (error instanceof io.tagbahn.thrift.InvalidServiceName e) {
            return new InvalidServiceName(message, e.getServiceName());
        } else if (error instanceof io.tagbahn.thrift.NoPeersAvailable e) {
            return new NoPeersAvailable(message, e.getServiceName());
        } else if (error instanceof io.tagbahn.thrift.NotFound) {
            return new NotFound(message);
        } else if (error instanceof io.tagbahn.thrift.NotReady e) {
            return new NotReady(message, millis(e.isSetRetryAfterMillis(), e.getRetryAfterMillis()));
        } else if (error instanceof io.tagbahn.thrift.Overloaded e) {
            return new Overloaded(
                    message, fromWire(e.getSignal()), millis(e.isSetRetryAfterMillis(), e.getRetryAfterMillis()));
        } else if (error instanceof io.tagbahn.thrift.StaleGeneration e) {
            return new StaleGeneration(message, e.getCurrent());
        } else if (error instanceof io.tagbahn.thrift.Unauthorized) {
            return new Unauthorized(message);
        }
        return new RegistryFault("the registry sent an error of an unknown kind: " + error);
    }

    private static Optional<Duration> millis(boolean present, long millis) {
        return present ? Optional.of(Duration.ofMillis(Math.max(0, millis))) : Optional.empty();
    }

    private static io.tagbahn.thrift.Signal toWire(Signal signal) {
        return switch (signal) {
            case TRY_ELSEWHERE -> io.tagbahn.thrift.Signal.TRY_ELSEWHERE;
            case RETRY_AFTER -> io.tagbahn.thrift.Signal.RETRY_AFTER;
            case STOP -> io.tagbahn.thrift.Signal.STOP;
        };
    }

    private static Signal fromWire(io.tagbahn.thrift.Signal signal) {
        return switch (signal) {
            case TRY_ELSEWHERE -> Signal.TRY_ELSEWHERE;
            case RETRY_AFTER -> Signal.RETRY_AFTER;
            case STOP -> Signal.STOP;
        };
    }
}
