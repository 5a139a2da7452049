// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench;

import io.tagbahn.rpc.RpcClient;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.thrift.Discovery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A method that does nothing and answers what it was given, through the code that every call goes through.
 *
 * <p>Its structs are those of {@code owners}: a text in, a list with that text out.
 */
public final class EchoService {

    private static final String METHOD = "echo";

    private EchoService() {}

    public static RpcService service() {
        return RpcService.builder()
                .method(METHOD, Discovery.owners_args::new, (arguments, call) -> {
                    Discovery.owners_result result = new Discovery.owners_result();
                    result.setSuccess(List.of(arguments.getTag()));
                    return CompletableFuture.completedFuture(result);
                })
                .build();
    }

    /** Calls it. */
    public static CompletionStage<Discovery.owners_result> call(RpcClient client, String text, Duration deadline) {
        Discovery.owners_args arguments = new Discovery.owners_args();
        arguments.setTag(text);
        return client.call(METHOD, arguments, Discovery.owners_result::new, deadline);
    }
}
