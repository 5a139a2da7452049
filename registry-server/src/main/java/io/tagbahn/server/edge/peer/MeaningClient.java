// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.peer;

import io.tagbahn.peer.LogPosition;
import io.tagbahn.peer.LoggedChanges;
import io.tagbahn.peer.MatchQuestion;
import io.tagbahn.peer.Matched;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.peer.OntologyHeads;
import io.tagbahn.server.changes.Changes;
import io.tagbahn.server.cluster.MeaningReplica;
import io.tagbahn.server.store.Peer;
import io.tagbahn.thrift.peer.Peer.changes_args;
import io.tagbahn.thrift.peer.Peer.changes_result;
import io.tagbahn.thrift.peer.Peer.match_args;
import io.tagbahn.thrift.peer.Peer.match_result;
import io.tagbahn.thrift.peer.Peer.ontologies_args;
import io.tagbahn.thrift.peer.Peer.ontologies_result;
import io.tagbahn.thrift.peer.Peer.ontologyChanged_args;
import io.tagbahn.thrift.peer.Peer.ontologyChanged_result;
import io.tagbahn.thrift.peer.Peer.ontologyPart_args;
import io.tagbahn.thrift.peer.Peer.ontologyPart_result;
import io.tagbahn.wire.WireLog;
import io.tagbahn.wire.WireMeaning;
import io.tagbahn.wire.WireOntology;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What tags mean to another node, over its connection. */
final class MeaningClient implements MeaningReplica {

    private final PeerClient client;

    MeaningClient(PeerClient client) {
        this.client = client;
    }

    @Override
    public CompletionStage<Matched<Peer>> match(MatchQuestion question, long deadlineNanos) {
        return client.call(
                "match",
                deadlineNanos,
                from -> new match_args(from, WireMeaning.toWire(question)),
                match_result::new,
                result -> WireMeaning.fromWire(result.getSuccess(), PeerClient::peer));
    }

    @Override
    public CompletionStage<LoggedChanges> changes(
            Changes.Log log, Optional<LogPosition> since, int limit, Duration wait, long deadlineNanos) {
        return client.call(
                "changes",
                deadlineNanos,
                from -> {
                    changes_args arguments = new changes_args()
                            .setCaller(from)
                            .setTouches(log == Changes.Log.TOUCHES)
                            .setLimit(limit)
                            .setWaitMillis(wait.toMillis());
                    since.ifPresent(position -> arguments.setSince(WireLog.toWire(position)));
                    return arguments;
                },
                changes_result::new,
                result -> WireLog.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<OntologyHeads> ontologies(String digest, long deadlineNanos) {
        return client.call(
                "ontologies",
                deadlineNanos,
                from -> new ontologies_args(from, digest),
                ontologies_result::new,
                result -> WireOntology.fromWire(result.getSuccess()));
    }

    @Override
    public CompletionStage<byte[]> ontologyPart(OntologyHead head, int offset, long deadlineNanos) {
        return client.call(
                "ontologyPart",
                deadlineNanos,
                from -> new ontologyPart_args(from, WireOntology.toWire(head), offset),
                ontologyPart_result::new,
                ontologyPart_result::getSuccess);
    }

    @Override
    public CompletionStage<Boolean> ontologyChanged(String asker, OntologyHead head, long deadlineNanos) {
        return client.call(
                "ontologyChanged",
                deadlineNanos,
                from -> new ontologyChanged_args(from, WireOntology.toWire(head)),
                ontologyChanged_result::new,
                ontologyChanged_result::isSuccess);
    }
}
