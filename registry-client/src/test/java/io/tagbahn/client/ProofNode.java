// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Member;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPeers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** A connection of its own to a node, which is asked for its status and closed. */
record ProofNode(RegistryNode to) implements RegistryNode {

    @Override
    public HostPort address() {
        return to.address();
    }

    @Override
    public CompletionStage<NodeStatus> status(CallContext context) {
        return to.status(context);
    }

    @Override
    public void close() {
        // Of this connection only.
    }

    @Override
    public CompletionStage<LeaseGrant> advertise(RegisterRequest request, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> deregister(LeaseRef lease, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> setStatus(
            InstanceId instance, InstanceStatus status, Optional<String> reason, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ServicePeers> discover(ServiceName name, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<TagPeers> tagDiscover(List<String> tags, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<NamesPage> serviceNames(
            Optional<String> prefix, OptionalInt limit, Optional<String> cursor, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<Member>> members(CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<String>> owners(String tag, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MeaningNode meaning() {
        throw new UnsupportedOperationException();
    }
}
