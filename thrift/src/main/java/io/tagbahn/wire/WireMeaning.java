// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.Degree;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Match;
import io.tagbahn.model.MatchMode;
import io.tagbahn.model.TagPattern;
import io.tagbahn.peer.MatchQuestion;
import io.tagbahn.peer.Matched;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.thrift.SemanticMatch;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.peer.TagMatch;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Queries by meaning and what is found, on the wire. */
public final class WireMeaning {

    private WireMeaning() {}

    public static SemanticQuery toWire(MatchQuery query) {
        return new SemanticQuery(query.pattern().spelling())
                .setMode(toWire(query.mode()))
                .setExplain(query.explain())
                .setLimit(query.limit())
                .setSubjects(query.subjects());
    }

    /** @throws InvalidArgument where the pattern is none, or the limit is out of its range */
    public static MatchQuery fromWire(SemanticQuery wire) {
        return new MatchQuery(
                TagPattern.parse(wire.getPattern()),
                wire.isSetMode() ? fromWire(wire.getMode()) : MatchMode.SPECIALISE,
                wire.isSetSubjects() && wire.isSubjects(),
                wire.isSetExplain() && wire.isExplain(),
                wire.isSetLimit() ? wire.getLimit() : MatchQuery.LIMIT_DEFAULT);
    }

    /** Where the caller of a query stands. */
    public static Optional<Locality> near(SemanticQuery wire) {
        return wire.isSetNear() ? Optional.of(WireInstance.fromWire(wire.getNear())) : Optional.empty();
    }

    private static io.tagbahn.thrift.MatchMode toWire(MatchMode mode) {
        return switch (mode) {
            case SPECIALISE -> io.tagbahn.thrift.MatchMode.SPECIALISE;
            case COVER -> io.tagbahn.thrift.MatchMode.COVER;
            case ANY -> io.tagbahn.thrift.MatchMode.ANY;
        };
    }

    private static MatchMode fromWire(io.tagbahn.thrift.MatchMode wire) {
        return switch (wire) {
            case SPECIALISE -> MatchMode.SPECIALISE;
            case COVER -> MatchMode.COVER;
            case ANY -> MatchMode.ANY;
        };
    }

    public static io.tagbahn.thrift.Degree toWire(Degree degree) {
        return switch (degree) {
            case EXACT -> io.tagbahn.thrift.Degree.EXACT;
            case SPECIALISES -> io.tagbahn.thrift.Degree.SPECIALISES;
            case GENERALISES -> io.tagbahn.thrift.Degree.GENERALISES;
            case OVERLAP -> io.tagbahn.thrift.Degree.OVERLAP;
        };
    }

    public static Degree fromWire(io.tagbahn.thrift.Degree wire) {
        return switch (wire) {
            case EXACT -> Degree.EXACT;
            case SPECIALISES -> Degree.SPECIALISES;
            case GENERALISES -> Degree.GENERALISES;
            case OVERLAP -> Degree.OVERLAP;
        };
    }

    /** @param explained whether an explanation was asked for */
    public static SemanticMatch toWire(Match match, List<ServicePeer> peers, boolean explained) {
        SemanticMatch wire = new SemanticMatch(match.tag(), toWire(match.degree()), match.distance(), peers);
        return explained ? wire.setExplanation(match.explanation()) : wire;
    }

    public static Match fromWire(SemanticMatch wire) {
        return new Match(
                wire.getTag(),
                fromWire(wire.getDegree()),
                wire.getDistance(),
                wire.isSetExplanation() ? wire.getExplanation() : List.of());
    }

    // ------------------------------------------------------------ between nodes

    public static io.tagbahn.thrift.peer.MatchQuestion toWire(MatchQuestion question) {
        return new io.tagbahn.thrift.peer.MatchQuestion(toWire(question.query()), question.ontologyVersion());
    }

    public static MatchQuestion fromWire(io.tagbahn.thrift.peer.MatchQuestion wire) {
        return new MatchQuestion(fromWire(wire.getQuery()), wire.getOntologyVersion());
    }

    /** Each instance goes over the wire once, whatever the number of its tags. */
    public static <P> io.tagbahn.thrift.peer.Matched toWire(Matched<P> matched, Function<P, ServicePeer> form) {
        IdentityHashMap<P, Integer> placeOf = new IdentityHashMap<>();
        List<ServicePeer> peers = new ArrayList<>();
        List<TagMatch> matches = new ArrayList<>(matched.found().size());
        for (Matched.Found<P> found : matched.found()) {
            List<Integer> places = new ArrayList<>(found.peers().size());
            for (P peer : found.peers()) {
                Integer place = placeOf.get(peer);
                if (place == null) {
                    place = peers.size();
                    placeOf.put(peer, place);
                    peers.add(form.apply(peer));
                }
                places.add(place);
            }
            Match match = found.match();
            matches.add(new TagMatch(
                    match.tag(), toWire(match.degree()), match.distance(), match.explanation(), places, found.whole()));
        }
        return new io.tagbahn.thrift.peer.Matched(
                WirePeer.toWire(matched.node()),
                matched.ontologyVersion(),
                peers,
                matches,
                matched.diagnostics(),
                matched.nearMisses());
    }

    /** @throws InvalidArgument where another node sent places outside its list */
    public static <P> Matched<P> fromWire(io.tagbahn.thrift.peer.Matched wire, Function<ServicePeer, P> form) {
        List<P> peers = new ArrayList<>(wire.getPeersSize());
        wire.getPeers().forEach(peer -> peers.add(form.apply(peer)));
        List<Matched.Found<P>> found = new ArrayList<>(wire.getMatchesSize());
        for (TagMatch match : wire.getMatches()) {
            List<P> under = new ArrayList<>(match.getPlacesSize());
            for (int place : match.getPlaces()) {
                if (place < 0 || place >= peers.size()) {
                    throw new InvalidArgument("places", place + " is not within 0.." + (peers.size() - 1));
                }
                under.add(peers.get(place));
            }
            if (match.getDistance() < 0) {
                throw new InvalidArgument("distance", match.getDistance() + " is not within 0..");
            }
            found.add(new Matched.Found<>(
                    new Match(match.getTag(), fromWire(match.getDegree()), match.getDistance(), match.getExplanation()),
                    under,
                    match.isWhole()));
        }
        return new Matched<>(
                WirePeer.fromWire(wire.getNode()),
                wire.getOntologyVersion(),
                found,
                wire.getDiagnostics(),
                wire.getNearMisses());
    }
}
