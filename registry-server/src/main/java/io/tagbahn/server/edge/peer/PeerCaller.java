// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.peer;

import io.tagbahn.model.Unauthorized;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.server.security.CertifiedName;
import io.tagbahn.thrift.peer.Caller;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Who calls: what stands in front of every message between nodes.
 *
 * @param cluster its name
 * @param node the id of this node
 */
record PeerCaller(String cluster, String node) {

    /** Of the messages; nodes of another form don't understand each other. */
    static final int FORM = 1;

    private static final long NANOS_PER_MILLI = 1_000_000;

    Caller toWire(long ring, long deadlineNanos, long nowNanos) {
        return new Caller(cluster, node, ring, FORM, Math.max(0, (deadlineNanos - nowNanos) / NANOS_PER_MILLI));
    }

    /** @throws Unauthorized where the caller is of another cluster or form, or says to be another than it has proved */
    void check(Caller caller, RpcCall call) {
        if (!caller.getCluster().equals(cluster)) {
            throw new Unauthorized("this node is of another cluster");
        }
        Optional<String> proved = call.peerName();
        if (proved.isPresent()
                && !proved.get().equals(CertifiedName.ANY)
                && !proved.get().equals(caller.getNode())) {
            throw new Unauthorized("node " + caller.getNode() + " called with the certificate of " + proved.get());
        }
        if (caller.getForm() != FORM) {
            throw new Unauthorized(
                    "messages of form " + caller.getForm() + " are not understood here; " + FORM + " is");
        }
    }

    /** By when the caller wants its answer, a minute from now at most. */
    static long deadlineNanos(Caller caller, LongSupplier ticker) {
        long millis = Math.max(0, Math.min(60_000, caller.getDeadlineMillis()));
        return ticker.getAsLong() + millis * NANOS_PER_MILLI;
    }
}
