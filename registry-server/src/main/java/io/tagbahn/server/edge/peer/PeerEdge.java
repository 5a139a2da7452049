// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.peer;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.cluster.Replica;
import io.tagbahn.server.edge.Answer;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.peer.Caller;
import io.tagbahn.thrift.peer.Peer;
import io.tagbahn.wire.WireChange;
import io.tagbahn.wire.WireInstance;
import io.tagbahn.wire.WireLog;
import io.tagbahn.wire.WireMeaning;
import io.tagbahn.wire.WireOntology;
import io.tagbahn.wire.WirePeer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The methods by which other nodes reach this one's replica.
 *
 * <p>Nothing here knows any other node, so that a call can't be forwarded.
 */
public final class PeerEdge {

    private static final long CHANGES_WAIT_MILLIS_MAX = 60_000;
    /** Changes in one answer, which has to fit into a message. */
    private static final int CHANGES_MAX = 10_000;

    private final Supplier<Replica> replica;
    private final PeerCaller here;
    private final LongSupplier ticker;

    private PeerEdge(Supplier<Replica> replica, PeerCaller here, LongSupplier ticker) {
        this.replica = replica;
        this.here = here;
        this.ticker = ticker;
    }

    /**
     * The service of a node.
     *
     * @param replica what it holds; throws {@link io.tagbahn.model.NotReady} until there is something
     * @param cluster its name; calls from others are refused
     */
    public static RpcService serviceOf(Supplier<Replica> replica, String cluster, String id, LongSupplier ticker) {
        PeerEdge edge = new PeerEdge(replica, new PeerCaller(cluster, id), ticker);
        RpcService.Builder service = RpcService.builder();
        edge.addWrites(service);
        edge.addReads(service);
        edge.addRepair(service);
        edge.addMeaning(service);
        return service.build();
    }

    private interface Question<V> {
        CompletionStage<V> ask(Replica self, long deadlineNanos);
    }

    private <V> CompletionStage<V> admitted(Caller caller, RpcCall call, Question<V> question) {
        here.check(caller, call);
        return question.ask(replica.get(), PeerCaller.deadlineNanos(caller, ticker));
    }

    private void addWrites(RpcService.Builder service) {
        service.method(
                "hello",
                Peer.hello_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.hello_result(),
                        () -> admitted(arguments.getCaller(), call, Replica::hello)
                                .thenApply(WirePeer::toWire),
                        Peer.hello_result::setSuccess));
        service.method(
                "decide",
                Peer.decide_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.decide_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) ->
                                                self.decide(WirePeer.fromWire(arguments.getDecision()), deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.decide_result::setSuccess));
        service.method(
                "apply",
                Peer.apply_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.apply_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) ->
                                                self.apply(WireChange.fromWire(arguments.getChanges()), deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.apply_result::setSuccess));
        service.method(
                "renew",
                Peer.renew_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.renew_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) ->
                                                self.renew(WirePeer.leases("leases", arguments.getLeases()), deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.renew_result::setSuccess));
        service.method(
                "leases",
                Peer.leases_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.leases_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) ->
                                                self.leases(WirePeer.leases("leases", arguments.getLeases()), deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.leases_result::setSuccess));
    }

    private void addReads(RpcService.Builder service) {
        service.method(
                "draw",
                Peer.draw_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.draw_result(),
                        () -> admitted(
                                arguments.getCaller(),
                                call,
                                (self, deadline) -> self.draw(arguments.getNames(), arguments.getWanted(), deadline)),
                        Peer.draw_result::setSuccess));
        service.method(
                "lookup",
                Peer.lookup_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.lookup_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.lookup(arguments.getEntries(), deadline))
                                .thenApply(looked -> WirePeer.toWire(
                                        looked, peer -> peer.form(ServicePeer.class, WireInstance::toPeer))),
                        Peer.lookup_result::setSuccess));
        service.method(
                "entries",
                Peer.entries_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.entries_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.entries(
                                                arguments.getPrefix(),
                                                Optional.ofNullable(arguments.getAfter()),
                                                arguments.getLimit(),
                                                deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.entries_result::setSuccess));
    }

    private void addRepair(RpcService.Builder service) {
        service.method(
                "copies",
                Peer.copies_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.copies_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.copies(
                                                arguments.getCaller().getNode(),
                                                WirePeer.fromWire(arguments.getPlace()),
                                                deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.copies_result::setSuccess));
        service.method(
                "copiesOf",
                Peer.copiesOf_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.copiesOf_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.copiesOf(
                                                arguments.getNode(), ids(arguments.getInstanceIds()), deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.copiesOf_result::setSuccess));
        service.method(
                "compare",
                Peer.compare_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.compare_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.compare(
                                                arguments.getCaller().getNode(),
                                                arguments.getRank(),
                                                arguments.getBuckets().stream()
                                                        .mapToLong(Long::longValue)
                                                        .toArray(),
                                                deadline))
                                .thenApply(WirePeer::toWire),
                        Peer.compare_result::setSuccess));
    }

    private static CompletionStage<LoggedChanges> changes(
            Replica self, Peer.changes_args arguments, long deadlineNanos) {
        long waitMillis = Math.max(0, Math.min(CHANGES_WAIT_MILLIS_MAX, arguments.getWaitMillis()));
        return self.meaning()
                .changes(
                        arguments.isTouches() ? Changes.Log.TOUCHES : Changes.Log.ENTRIES,
                        Optional.ofNullable(arguments.getSince()).map(WireLog::fromWire),
                        Math.max(0, Math.min(CHANGES_MAX, arguments.getLimit())),
                        Duration.ofMillis(waitMillis),
                        deadlineNanos);
    }

    private void addMeaning(RpcService.Builder service) {
        service.method(
                "changes",
                Peer.changes_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.changes_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> changes(self, arguments, deadline))
                                .thenApply(WireLog::toWire),
                        Peer.changes_result::setSuccess));
        service.method(
                "match",
                Peer.match_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.match_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.meaning()
                                                .match(WireMeaning.fromWire(arguments.getQuestion()), deadline))
                                .thenApply(matched -> WireMeaning.toWire(
                                        matched, peer -> peer.form(ServicePeer.class, WireInstance::toPeer))),
                        Peer.match_result::setSuccess));
        service.method(
                "ontologies",
                Peer.ontologies_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.ontologies_result(),
                        () -> admitted(
                                        arguments.getCaller(),
                                        call,
                                        (self, deadline) -> self.meaning().ontologies(arguments.getDigest(), deadline))
                                .thenApply(WireOntology::toWire),
                        Peer.ontologies_result::setSuccess));
        service.method(
                "ontologyPart",
                Peer.ontologyPart_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.ontologyPart_result(),
                        () -> admitted(
                                arguments.getCaller(),
                                call,
                                (self, deadline) -> self.meaning()
                                        .ontologyPart(
                                                WireOntology.fromWire(arguments.getHead()),
                                                arguments.getOffset(),
                                                deadline)),
                        (result, bytes) -> result.setSuccess(bytes)));
        service.method(
                "ontologyChanged",
                Peer.ontologyChanged_args::new,
                (arguments, call) -> Answer.of(
                        new Peer.ontologyChanged_result(),
                        () -> admitted(
                                arguments.getCaller(),
                                call,
                                (self, deadline) -> self.meaning()
                                        .ontologyChanged(
                                                arguments.getCaller().getNode(),
                                                WireOntology.fromWire(arguments.getHead()),
                                                deadline)),
                        (result, has) -> result.setSuccess(has)));
    }

    private static List<InstanceId> ids(List<String> texts) {
        return texts.stream().map(InstanceId::new).toList();
    }
}
