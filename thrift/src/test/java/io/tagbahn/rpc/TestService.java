// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.TagDiscoveryResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Methods of the IDL with answers that tests can tell apart, and calls that end when a test says so. */
final class TestService {

    final ConcurrentLinkedQueue<Held> held = new ConcurrentLinkedQueue<>();

    /** A call that waits to be answered. */
    record Held(String tag, CompletableFuture<Discovery.owners_result> stage) {
        void answer() {
            stage.complete(owners(tag));
        }
    }

    /** owners answers its tag; one that begins with "hold" waits, one with "fail" fails; tagDiscover its tags. */
    RpcService service() {
        return RpcService.builder()
                .method("owners", Discovery.owners_args::new, (arguments, call) -> owners(arguments))
                .method(
                        "tagDiscover",
                        Discovery.tagDiscover_args::new,
                        (arguments, call) -> CompletableFuture.completedFuture(tagDiscover(arguments)))
                .build();
    }

    private CompletableFuture<Discovery.owners_result> owners(Discovery.owners_args arguments) {
        String tag = arguments.getTag();
        if (tag.startsWith("fail")) {
            throw new IllegalStateException("secret");
        }
        if (tag.startsWith("hold")) {
            CompletableFuture<Discovery.owners_result> stage = new CompletableFuture<>();
            held.add(new Held(tag, stage));
            return stage;
        }
        if (tag.startsWith("large ")) {
            return CompletableFuture.completedFuture(owners("x".repeat(Integer.parseInt(tag.substring(6)))));
        }
        return CompletableFuture.completedFuture(owners(tag));
    }

    static Discovery.owners_result owners(String tag) {
        Discovery.owners_result result = new Discovery.owners_result();
        result.setSuccess(List.of(tag));
        return result;
    }

    private static Discovery.tagDiscover_result tagDiscover(Discovery.tagDiscover_args arguments) {
        Discovery.tagDiscover_result result = new Discovery.tagDiscover_result();
        TagDiscoveryResult peers = new TagDiscoveryResult(Map.of());
        Map<String, List<io.tagbahn.thrift.ServicePeer>> byTag = new java.util.HashMap<>();
        arguments.getQuery().getServiceTags().forEach(tag -> byTag.put(tag, new ArrayList<>()));
        peers.setPeers(byTag);
        result.setSuccess(peers);
        return result;
    }
}
