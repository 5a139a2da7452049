// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcService;
import io.tagbahn.thrift.Discovery;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.thrift.TBase;

/**
 * Methods that read the same bytes and answer the same bytes as a node's, through the same code, and do nothing: the
 * floor under a node's times. Each answers what it was {@linkplain WireCall#priming primed} with.
 */
final class EchoAnswers {

    /** Begins the name of the method that tells another one what to answer; its argument is the answer. */
    static final String PRIME = "prime:";

    private EchoAnswers() {}

    static RpcService service() {
        RpcService.Builder methods = RpcService.builder();
        add(methods, "advertise", Discovery.advertise_args::new, Discovery.advertise_result::new);
        add(methods, "deregister", Discovery.deregister_args::new, Discovery.deregister_result::new);
        add(methods, "heartbeat", Discovery.heartbeat_args::new, Discovery.heartbeat_result::new);
        add(methods, "discover", Discovery.discover_args::new, Discovery.discover_result::new);
        add(methods, "tagDiscover", Discovery.tagDiscover_args::new, Discovery.tagDiscover_result::new);
        add(methods, "serviceNames", Discovery.serviceNames_args::new, Discovery.serviceNames_result::new);
        return methods.build();
    }

    private static <A extends TBase<?, ?>, R extends TBase<?, ?>> void add(
            RpcService.Builder methods, String method, Supplier<A> newArguments, Supplier<R> newResult) {
        Answer<R> answer = new Answer<>(newResult.get());
        methods.method(method, newArguments, (arguments, call) -> CompletableFuture.completedFuture(answer.present));
        methods.method(PRIME + method, newResult, (primed, call) -> {
            answer.present = primed;
            return CompletableFuture.completedFuture(new Discovery.deregister_result());
        });
    }

    /** What a method answers now. */
    private static final class Answer<R> {

        private volatile R present;

        Answer(R present) {
            this.present = present;
        }
    }
}
