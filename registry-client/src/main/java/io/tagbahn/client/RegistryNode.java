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

/**
 * One node of the registry, as it can be called: each method is one call of the wire API and one attempt.
 *
 * <p>The context's deadline bounds the attempt. A stage fails with a {@link io.tagbahn.model.RegistryException} only.
 */
interface RegistryNode {

    HostPort address();

    CompletionStage<LeaseGrant> advertise(RegisterRequest request, CallContext context);

    CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, CallContext context);

    CompletionStage<Void> deregister(LeaseRef lease, CallContext context);

    CompletionStage<Void> setStatus(
            InstanceId instance, InstanceStatus status, Optional<String> reason, CallContext context);

    CompletionStage<ServicePeers> discover(ServiceName name, CallContext context);

    CompletionStage<TagPeers> tagDiscover(List<String> tags, CallContext context);

    CompletionStage<NamesPage> serviceNames(
            Optional<String> prefix, OptionalInt limit, Optional<String> cursor, CallContext context);

    CompletionStage<List<Member>> members(CallContext context);

    CompletionStage<List<String>> owners(String tag, CallContext context);

    CompletionStage<NodeStatus> status(CallContext context);

    /** The same node, for what tags mean. */
    MeaningNode meaning();

    /** Fails the calls in flight and frees the connection; bounded, and may be called again. */
    void close();
}
