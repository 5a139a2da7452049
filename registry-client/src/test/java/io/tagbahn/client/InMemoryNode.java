// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.Member;
import io.tagbahn.model.NamesPage;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NodeStatus;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.ServiceName;
import io.tagbahn.model.TagPeers;
import io.tagbahn.model.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A node on a link that can be slow, lossy, cut or hung, in virtual time. */
final class InMemoryNode implements RegistryNode {

    private final HostPort address;
    private final InMemoryRegistry registry;
    private final SteppedTimer timer;
    private final RandomGenerator random;

    /** What came with each call, in the order in which they were made. */
    final List<CallContext> calls = new ArrayList<>();

    boolean down;
    boolean hung;
    /** Carries calls out, and its answers don't arrive. */
    boolean mute;

    double lossShare;
    Duration delayMax = Duration.ofMillis(1);
    /** Thrown instead of an answer. */
    Optional<RegistryException> rejection = Optional.empty();
    /** Asked before each call that arrives: a rejection, where there is no room for it. */
    Supplier<Optional<RegistryException>> admission = Optional::empty;

    /** Who is found under every name. */
    Supplier<List<Instance>> hosts = List::of;

    boolean degraded;
    /** How often it was asked for hosts. */
    int lookups;
    /** Who it says are the members. */
    Supplier<List<Member>> members = List::of;
    /** What it says it is. */
    String id;
    /** Asked for what tags mean. */
    Optional<MeaningNode> meaning = Optional.empty();

    InMemoryNode(int number, InMemoryRegistry registry, SteppedTimer timer, RandomGenerator random) {
        this.address = HostPort.parse("10.0.0." + number + ":21300");
        this.id = "node-" + number;
        this.registry = registry;
        this.timer = timer;
        this.random = random;
    }

    @Override
    public HostPort address() {
        return address;
    }

    @Override
    public CompletionStage<LeaseGrant> advertise(RegisterRequest request, CallContext context) {
        return call(context, () -> registry.register(request));
    }

    @Override
    public CompletionStage<HeartbeatResult> heartbeat(List<LeaseRef> leases, CallContext context) {
        return call(context, () -> registry.heartbeat(leases));
    }

    @Override
    public CompletionStage<Void> deregister(LeaseRef lease, CallContext context) {
        return call(context, () -> {
                    registry.deregister(lease);
                    return lease;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Void> setStatus(
            InstanceId instance, InstanceStatus status, Optional<String> reason, CallContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ServicePeers> discover(ServiceName name, CallContext context) {
        lookups++;
        return call(context, () -> {
            List<Instance> found = hosts.get();
            if (found.isEmpty()) {
                throw new NoPeersAvailable("nobody is called so", name.value());
            }
            return new ServicePeers(found, degraded);
        });
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
        return call(context, members);
    }

    /** Answers with this node's address, whatever the tag. */
    @Override
    public CompletionStage<List<String>> owners(String tag, CallContext context) {
        return call(context, () -> List.of(address.toString()));
    }

    @Override
    public CompletionStage<NodeStatus> status(CallContext context) {
        return call(context, () -> new NodeStatus(id, "test", true, 3, 0, 0, "", timer.elapsed()));
    }

    @Override
    public MeaningNode meaning() {
        return meaning.orElseThrow(UnsupportedOperationException::new);
    }

    @Override
    public void close() {
        down = true;
    }

    private <T> CompletionStage<T> call(CallContext context, Supplier<T> action) {
        calls.add(context);
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (down) {
            answer.completeExceptionally(new Unreachable(address + " refuses the connection"));
            return answer;
        }
        timer.after(
                context.deadline().orElseThrow(),
                () -> answer.completeExceptionally(new OutcomeUnknown("no answer from " + address + " in time")));
        if (hung || lost()) {
            return answer;
        }
        timer.after(delay(), () -> {
            if (down) {
                return; // on its way when the link was cut
            }
            Runnable reply;
            try {
                Optional<RegistryException> refused = admission.get().or(() -> rejection);
                if (refused.isPresent()) {
                    throw refused.get();
                }
                T value = action.get();
                reply = () -> answer.complete(value);
            } catch (RegistryException e) {
                reply = () -> answer.completeExceptionally(e);
            }
            if (!mute && !lost()) {
                timer.after(delay(), reply);
            }
        });
        return answer;
    }

    private boolean lost() {
        return random.nextDouble() < lossShare;
    }

    private Duration delay() {
        return Duration.ofNanos(1 + random.nextLong(delayMax.toNanos()));
    }
}
