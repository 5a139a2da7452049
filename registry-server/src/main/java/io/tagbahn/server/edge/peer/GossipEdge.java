// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.peer;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.edge.Answer;
import io.tagbahn.thrift.peer.Gossip;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The methods by which nodes find each other, and compare who is there. */
public final class GossipEdge {

    private GossipEdge() {}

    /** What takes the messages of others. */
    @FunctionalInterface
    public interface Receiver {
        /** @return the answer, empty where there is none */
        CompletionStage<byte[]> accept(HostPort sender, byte[] message);
    }

    /**
     * What a node answers at its public port to those that take it for a seed.
     *
     * @param encrypted whether members talk to each other encrypted
     * @param address where members reach it; throws {@link io.tagbahn.model.NotReady} until that is known
     */
    public static RpcService seed(String cluster, boolean encrypted, Supplier<HostPort> address) {
        return RpcService.builder()
                .method(
                        "memberAddress",
                        Gossip.memberAddress_args::new,
                        (arguments, call) -> Answer.of(
                                new Gossip.memberAddress_result(),
                                () -> {
                                    if (!cluster.equals(arguments.getCluster())) {
                                        throw new Unauthorized("this node is of another cluster");
                                    }
                                    checkKeys(encrypted, arguments.isEncrypted());
                                    return CompletableFuture.completedFuture(
                                            address.get().toString());
                                },
                                Gossip.memberAddress_result::setSuccess))
                .build();
    }

    private static void checkKeys(boolean here, boolean there) {
        if (here && !there) {
            throw new Unauthorized("nodes of this cluster talk to each other encrypted: set cluster.keys-dir");
        }
        if (!here && there) {
            throw new Unauthorized(
                    "nodes of this cluster talk to each other unencrypted, and this one has cluster.keys-dir set:"
                            + " all nodes have keys, or none");
        }
    }

    /**
     * What a node answers to other members.
     *
     * @param receiver throws {@link io.tagbahn.model.NotReady} until there is one
     */
    public static RpcService streams(Supplier<Receiver> receiver) {
        return RpcService.builder()
                .method(
                        "exchange",
                        Gossip.exchange_args::new,
                        (arguments, call) -> Answer.of(
                                new Gossip.exchange_result(),
                                () -> receiver.get()
                                        .accept(HostPort.parse(arguments.getSender()), arguments.getMessage()),
                                (result, answer) -> result.setSuccess(answer)))
                .build();
    }
}
