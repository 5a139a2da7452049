// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.Criticality;
import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.Member;
import io.tagbahn.model.MemberState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps the list of nodes that calls go to: learns from the registry of nodes that have joined, and forgets those that
 * have left.
 *
 * <p>The given addresses always stay. Another one is used once a call to it was answered by the very member that the
 * registry says is there: the addresses of members may be such as this client can't reach, or reaches somebody else at.
 * Refreshes follow one another; what is on its way is bounded by the number of nodes.
 */
final class NodeFollower {

    private static final Duration FIRST_AFTER = Duration.ofSeconds(5);
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(NodeFollower.class);

    private final Loops loops;
    private final NodePicker picker;
    private final List<HostPort> given;
    private final NodesConfig config;
    private final CallContext context;
    private final Function<HostPort, RegistryNode> connect;
    private final BooleanSupplier used;
    private final long order;

    // One refresh at a time touches these.
    private final Map<HostPort, String> idsOfGiven = new ConcurrentHashMap<>();
    private Map<String, Member> taken = Map.of();
    private int failures;

    /**
     * @param connect makes nodes for the proof that they are there
     * @param used whether any call was made: before, nothing is sent
     */
    NodeFollower(
            Loops loops,
            NodePicker picker,
            RegistryClientConfig config,
            Function<HostPort, RegistryNode> connect,
            BooleanSupplier used) {
        this.loops = loops;
        this.picker = picker;
        this.given = config.registries();
        this.config = config.nodes();
        this.context = config.context();
        this.connect = connect;
        this.used = used;
        this.order = loops.random().nextLong();
    }

    void start() {
        Duration first = config.refreshEvery().compareTo(FIRST_AFTER) < 0 ? config.refreshEvery() : FIRST_AFTER;
        again(first);
    }

    private void again(Duration interval) {
        long nanos = interval.toNanos();
        loops.after(Duration.ofNanos(nanos / 2 + loops.random().nextLong(nanos / 2 + 1)), this::refresh);
    }

    private void refresh() {
        if (loops.isClosed().getAsBoolean()) {
            return;
        }
        if (!used.getAsBoolean()) {
            again(FIRST_AFTER);
            return;
        }
        CompletionStage<Void> learnt = loops.guard()
                .call(CALL, Criticality.SHEDDABLE, RegistryNode::members)
                .thenCompose(this::learn);
        learnt.whenComplete((done, error) -> {
            if (error == null) {
                failures = 0;
                again(config.refreshEvery());
            } else {
                log.debug(
                        "the nodes of the registry are not known: {}",
                        Failures.of(error).getMessage());
                loops.after(loops.pauseAfter(failures++), this::refresh);
            }
        });
    }

    private CompletableFuture<Void> learn(List<Member> members) {
        Map<String, Member> there = members.stream()
                .filter(member -> member.state() == MemberState.ALIVE
                        || (member.state() == MemberState.SUSPECT && taken.containsKey(member.id())))
                .collect(Collectors.toMap(Member::id, Function.identity(), (one, other) -> one, LinkedHashMap::new));
        if (there.isEmpty()) {
            return CompletableFuture.completedFuture(null); // says nothing: somebody has answered
        }
        return identifyGiven(there).thenCompose(done -> prove(there)).thenAccept(proven -> {
            taken = proven;
            show(there, proven);
        });
    }

    /** Asks who is at the given addresses, so that no node is there twice. */
    private CompletableFuture<Void> identifyGiven(Map<String, Member> there) {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (KnownNode known : picker.nodes()) {
            HostPort address = known.node().address();
            String id = idsOfGiven.getOrDefault(address, "");
            if (given.contains(address) && !there.containsKey(id)) {
                asked.add(
                        idAt(known.node()).thenAccept(found -> found.ifPresent(each -> idsOfGiven.put(address, each))));
            }
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Optional<String>> idAt(RegistryNode node) {
        CallContext sent = new CallContext(
                Optional.of(CALL), Criticality.SHEDDABLE, context.caller(), context.traceParent(), context.token(), 0);
        return node.status(sent)
                .handle((status, error) -> error == null ? Optional.of(status.id()) : Optional.<String>empty())
                .toCompletableFuture();
    }

    /** The members besides those at given addresses that calls should go to: those that are used already, and new ones. */
    private CompletableFuture<Map<String, Member>> prove(Map<String, Member> there) {
        List<Member> wanted = there.values().stream()
                .filter(member -> !idsOfGiven.containsValue(member.id()) && !given.contains(member.address()))
                .sorted(Comparator.<Member>comparingInt(member -> distance(member.locality()))
                        .thenComparingInt(member -> taken.containsKey(member.id()) ? 0 : 1)
                        .thenComparingLong(member -> member.id().hashCode() * 0x9E3779B97F4A7C15L ^ order))
                .limit(Math.max(0, config.nodesMax() - given.size()))
                .toList();
        Map<String, Member> proven = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (Member member : wanted) {
            Member before = taken.get(member.id());
            if (before != null && before.address().equals(member.address())) {
                proven.put(member.id(), member);
                continue;
            }
            RegistryNode node = connect.apply(member.address());
            asked.add(idAt(node).thenAccept(id -> {
                node.close();
                if (id.equals(Optional.of(member.id()))) {
                    proven.put(member.id(), member);
                }
            }));
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> proven);
    }

    private void show(Map<String, Member> there, Map<String, Member> proven) {
        Map<HostPort, Integer> addresses = new LinkedHashMap<>();
        for (HostPort address : given) {
            Member member = there.get(idsOfGiven.getOrDefault(address, ""));
            addresses.put(address, distance(member == null ? Locality.UNKNOWN : member.locality()));
        }
        proven.values().forEach(member -> addresses.put(member.address(), distance(member.locality())));
        int before = picker.size();
        picker.set(addresses);
        if (picker.size() != before) {
            log.info("calls go to {} nodes of the registry, {} before", picker.size(), before);
        }
    }

    private int distance(Locality there) {
        return config.here().distanceTo(there);
    }
}
