// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.HeartbeatResult;
import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.peer.Applied;
import io.tagbahn.peer.Compared;
import io.tagbahn.peer.Copies;
import io.tagbahn.peer.Decided;
import io.tagbahn.peer.Decision;
import io.tagbahn.peer.EntryList;
import io.tagbahn.peer.Holding;
import io.tagbahn.peer.LeasesLeft;
import io.tagbahn.peer.Looked;
import io.tagbahn.peer.NodeView;
import io.tagbahn.peer.Outcome;
import io.tagbahn.peer.Place;
import io.tagbahn.peer.Renewed;
import io.tagbahn.thrift.ServicePeer;
import io.tagbahn.thrift.StatusQuery;
import io.tagbahn.thrift.peer.HoldingKind;
import io.tagbahn.thrift.peer.OutcomeKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Questions and answers between nodes, on the wire. Changes: see {@link WireChange}. */
public final class WirePeer {

    private WirePeer() {}

    public static io.tagbahn.thrift.peer.NodeView toWire(NodeView node) {
        return new io.tagbahn.thrift.peer.NodeView(node.ring(), node.filled(), node.holding(), node.whole());
    }

    public static NodeView fromWire(io.tagbahn.thrift.peer.NodeView wire) {
        return new NodeView(wire.getRing(), wire.isFilled(), wire.isHolding(), wire.getWhole());
    }

    // ------------------------------------------------------------ decisions

    public static io.tagbahn.thrift.peer.Decision toWire(Decision decision) {
        if (decision instanceof Decision.Registration registration) {
            return io.tagbahn.thrift.peer.Decision.registration(WireLease.toWire(registration.command()));
        } else if (decision instanceof Decision.Deregistration deregistration) {
            return io.tagbahn.thrift.peer.Decision.deregistration(WireLease.toWire(deregistration.lease()));
        } else if (decision instanceof Decision.StatusChange change) {
            StatusQuery query = new StatusQuery(change.id().value(), WireInstance.toWire(change.status()));
            return io.tagbahn.thrift.peer.Decision.status(query.setReason(change.reason()));
        }
        throw new IllegalArgumentException("no form for " + decision);
    }

    /** @throws InvalidArgument where another node sent what is no decision */
    public static Decision fromWire(io.tagbahn.thrift.peer.Decision wire) {
        if (wire.isSetRegistration()) {
            return new Decision.Registration(WireLease.command(wire.getRegistration()));
        } else if (wire.isSetDeregistration()) {
            return new Decision.Deregistration(WireLease.fromWire("lease", wire.getDeregistration()));
        } else if (wire.isSetStatus()) {
            StatusQuery query = wire.getStatus();
            return new Decision.StatusChange(
                    new InstanceId(query.getInstanceId()),
                    WireInstance.fromWire(query.getStatus()),
                    query.isSetReason() ? query.getReason() : "");
        }
        throw new InvalidArgument("decision", "not known here");
    }

    public static io.tagbahn.thrift.peer.Decided toWire(Decided decided) {
        io.tagbahn.thrift.peer.Decided wire = new io.tagbahn.thrift.peer.Decided(
                toWire(decided.node()), decided.generation(), decided.known(), decided.removed());
        decided.record().ifPresent(record -> wire.setRecord(WireChange.record(record)));
        return wire;
    }

    public static Decided fromWire(io.tagbahn.thrift.peer.Decided wire) {
        return new Decided(
                fromWire(wire.getNode()),
                wire.getGeneration(),
                wire.isKnown(),
                wire.isSetRecord() ? Optional.of(WireChange.record(wire.getRecord())) : Optional.empty(),
                wire.getRemoved());
    }

    // ------------------------------------------------------------ changes and leases

    public static io.tagbahn.thrift.peer.Applied toWire(Applied applied) {
        List<io.tagbahn.thrift.peer.Outcome> outcomes =
                new ArrayList<>(applied.outcomes().size());
        for (Outcome outcome : applied.outcomes()) {
            OutcomeKind kind = switch (outcome.kind()) {
                case TAKEN -> OutcomeKind.TAKEN;
                case STALE -> OutcomeKind.STALE;
                case GONE -> OutcomeKind.GONE;
                case REFUSED -> OutcomeKind.REFUSED;
            };
            io.tagbahn.thrift.peer.Outcome written = new io.tagbahn.thrift.peer.Outcome(kind, outcome.generation());
            if (!outcome.removed().isEmpty()) {
                written.setRemoved(outcome.removed());
            }
            outcomes.add(written);
        }
        return new io.tagbahn.thrift.peer.Applied(toWire(applied.node()), outcomes);
    }

    public static Applied fromWire(io.tagbahn.thrift.peer.Applied wire) {
        List<Outcome> outcomes = new ArrayList<>(wire.getOutcomesSize());
        for (io.tagbahn.thrift.peer.Outcome outcome : wire.getOutcomes()) {
            Outcome.Kind kind = switch (outcome.getKind()) {
                case TAKEN -> Outcome.Kind.TAKEN;
                case STALE -> Outcome.Kind.STALE;
                case GONE -> Outcome.Kind.GONE;
                case REFUSED -> Outcome.Kind.REFUSED;
            };
            List<String> removed = outcome.getRemoved();
            outcomes.add(new Outcome(kind, outcome.getGeneration(), removed == null ? List.of() : removed));
        }
        return new Applied(fromWire(wire.getNode()), outcomes);
    }

    public static io.tagbahn.thrift.peer.Renewed toWire(Renewed renewed) {
        return new io.tagbahn.thrift.peer.Renewed(
                toWire(renewed.node()),
                WireLease.toWire(renewed.result().unknown()),
                WireLease.toWire(renewed.result().superseded()));
    }

    public static Renewed fromWire(io.tagbahn.thrift.peer.Renewed wire) {
        return new Renewed(
                fromWire(wire.getNode()),
                new HeartbeatResult(leases("unknown", wire.getUnknown()), leases("superseded", wire.getSuperseded())));
    }

    /** @throws InvalidArgument naming the field and the place in the list */
    public static List<LeaseRef> leases(String field, List<io.tagbahn.thrift.LeaseRef> wire) {
        List<LeaseRef> leases = new ArrayList<>(wire.size());
        for (int i = 0; i < wire.size(); i++) {
            leases.add(WireLease.fromWire(field + "[" + i + "]", wire.get(i)));
        }
        return leases;
    }

    public static io.tagbahn.thrift.peer.LeasesLeft toWire(LeasesLeft left) {
        return new io.tagbahn.thrift.peer.LeasesLeft(toWire(left.node()), left.leftMillis());
    }

    public static LeasesLeft fromWire(io.tagbahn.thrift.peer.LeasesLeft wire) {
        return new LeasesLeft(fromWire(wire.getNode()), wire.getLeftMillis());
    }

    // ------------------------------------------------------------ reads

    /** Each instance goes over the wire once, whatever the number of entries that it is under. */
    public static <P> io.tagbahn.thrift.peer.Looked toWire(Looked<P> looked, Function<P, ServicePeer> form) {
        IdentityHashMap<P, Integer> placeOf = new IdentityHashMap<>();
        List<ServicePeer> peers = new ArrayList<>();
        List<List<Integer>> places = new ArrayList<>(looked.found().size());
        List<Integer> unfilled = new ArrayList<>();
        for (Looked.Found<P> found : looked.found()) {
            if (!found.whole()) {
                unfilled.add(places.size());
            }
            List<Integer> of = new ArrayList<>(found.peers().size());
            for (P peer : found.peers()) {
                Integer place = placeOf.get(peer);
                if (place == null) {
                    place = peers.size();
                    placeOf.put(peer, place);
                    peers.add(form.apply(peer));
                }
                of.add(place);
            }
            places.add(of);
        }
        return new io.tagbahn.thrift.peer.Looked(toWire(looked.node()), peers, places, unfilled);
    }

    /** @throws InvalidArgument where another node sent places outside its list */
    public static <P> Looked<P> fromWire(io.tagbahn.thrift.peer.Looked wire, Function<ServicePeer, P> form) {
        List<P> peers = new ArrayList<>(wire.getPeersSize());
        wire.getPeers().forEach(peer -> peers.add(form.apply(peer)));
        List<Looked.Found<P>> found = new ArrayList<>(wire.getPlacesSize());
        for (List<Integer> places : wire.getPlaces()) {
            List<P> under = new ArrayList<>(places.size());
            for (int place : places) {
                if (place < 0 || place >= peers.size()) {
                    throw new InvalidArgument("places", place + " is not within 0.." + (peers.size() - 1));
                }
                under.add(peers.get(place));
            }
            found.add(new Looked.Found<>(under, true));
        }
        for (int place : wire.getUnfilled()) {
            if (place < 0 || place >= found.size()) {
                throw new InvalidArgument("unfilled", place + " is not within 0.." + (found.size() - 1));
            }
            found.set(place, new Looked.Found<>(found.get(place).peers(), false));
        }
        return new Looked<>(fromWire(wire.getNode()), found);
    }

    public static io.tagbahn.thrift.peer.EntryList toWire(EntryList list) {
        return new io.tagbahn.thrift.peer.EntryList(toWire(list.node()), list.entries(), list.more());
    }

    public static EntryList fromWire(io.tagbahn.thrift.peer.EntryList wire) {
        return new EntryList(fromWire(wire.getNode()), wire.getEntries(), wire.isMore());
    }

    // ------------------------------------------------------------ copies and comparisons

    public static io.tagbahn.thrift.peer.Place toWire(Place place) {
        io.tagbahn.thrift.peer.Place wire = new io.tagbahn.thrift.peer.Place(place.bucket());
        place.after().ifPresent(id -> wire.setAfterId(id.value()));
        return wire;
    }

    public static Place fromWire(io.tagbahn.thrift.peer.Place wire) {
        return new Place(
                wire.getBucket(), Optional.ofNullable(wire.getAfterId()).map(InstanceId::new));
    }

    public static io.tagbahn.thrift.peer.Copies toWire(Copies copies) {
        io.tagbahn.thrift.peer.Copies wire =
                new io.tagbahn.thrift.peer.Copies(toWire(copies.node()), WireChange.toWire(copies.changes()));
        copies.next().ifPresent(next -> wire.setNext(toWire(next)));
        return wire;
    }

    public static Copies fromWire(io.tagbahn.thrift.peer.Copies wire) {
        return new Copies(
                fromWire(wire.getNode()),
                WireChange.fromWire(wire.getChanges()),
                wire.isSetNext() ? Optional.of(fromWire(wire.getNext())) : Optional.empty());
    }

    public static io.tagbahn.thrift.peer.Compared toWire(Compared compared) {
        List<io.tagbahn.thrift.peer.Holding> holdings =
                new ArrayList<>(compared.holdings().size());
        for (Holding holding : compared.holdings()) {
            holdings.add(new io.tagbahn.thrift.peer.Holding(
                    holding.id().value(),
                    holding.generation(),
                    HoldingKind.valueOf(holding.kind().name()),
                    holding.hash()));
        }
        return new io.tagbahn.thrift.peer.Compared(toWire(compared.node()), compared.buckets(), holdings);
    }

    public static Compared fromWire(io.tagbahn.thrift.peer.Compared wire) {
        List<Holding> holdings = new ArrayList<>(wire.getHoldingsSize());
        for (io.tagbahn.thrift.peer.Holding holding : wire.getHoldings()) {
            holdings.add(new Holding(
                    new InstanceId(holding.getInstanceId()),
                    holding.getGeneration(),
                    Holding.Kind.valueOf(holding.getKind().name()),
                    holding.getHash()));
        }
        return new Compared(fromWire(wire.getNode()), wire.getBuckets(), holdings);
    }
}
