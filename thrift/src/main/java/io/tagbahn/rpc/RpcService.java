// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.jspecify.annotations.Nullable;

/** The methods that a server answers, by name. Immutable. */
public final class RpcService {

    private final Map<String, Method<?, ?>> methods;

    private RpcService(Map<String, Method<?, ?>> methods) {
        this.methods = methods;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Names of the methods. */
    public Set<String> methodNames() {
        return methods.keySet();
    }

    @Nullable
    Method<?, ?> method(String name) {
        return methods.get(name);
    }

    /**
     * The code behind a method.
     *
     * @param <A> the generated struct of its arguments
     * @param <R> the generated struct of its result
     */
    @FunctionalInterface
    public interface Handler<A, R> {
        /**
         * Starts a call. Runs on an event loop and must not block.
         *
         * <p>The stage completes with the result struct, which holds the value or one of the declared exceptions, and
         * must not be changed any more. It may complete on any thread. Where it completes exceptionally, or this
         * throws, the caller gets an INTERNAL_ERROR without details. The result of a oneway call is dropped.
         */
        CompletionStage<R> handle(A arguments, RpcCall call);
    }

    record Method<A extends TBase<?, ?>, R extends TBase<?, ?>>(
            String name, Supplier<A> newArguments, Handler<A, R> handler) {}

    /** Collects the methods of a service. */
    public static final class Builder {

        private final Map<String, Method<?, ?>> methods = new HashMap<>();

        private Builder() {}

        /**
         * Adds a method, for example {@code method("status", Discovery.status_args::new, (arguments, call) -> ...)}.
         *
         * @throws IllegalArgumentException if the name is taken, or not 1..255 ASCII characters
         */
        public <A extends TBase<?, ?>, R extends TBase<?, ?>> Builder method(
                String name, Supplier<A> newArguments, Handler<A, R> handler) {
            if (name.isEmpty()
                    || name.length() > MethodNames.BYTES_MAX
                    || name.chars().anyMatch(c -> c <= ' ' || c >= 0x7F)) {
                throw new IllegalArgumentException("method name '" + name + "'");
            }
            if (methods.putIfAbsent(name, new Method<>(name, newArguments, handler)) != null) {
                throw new IllegalArgumentException("method " + name + " twice");
            }
            return this;
        }

        /**
         * Adds the methods of another service.
         *
         * @throws IllegalArgumentException if a name is taken
         */
        public Builder all(RpcService other) {
            other.methods.forEach((name, method) -> {
                if (methods.putIfAbsent(name, method) != null) {
                    throw new IllegalArgumentException("method " + name + " twice");
                }
            });
            return this;
        }

        public RpcService build() {
            return new RpcService(Map.copyOf(methods));
        }
    }
}
