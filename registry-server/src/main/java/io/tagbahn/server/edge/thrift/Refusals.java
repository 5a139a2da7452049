// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.Signal;
import io.tagbahn.rpc.ReadyAnswer;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.Registry;
import io.tagbahn.wire.WireErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;

/** The answers to refused calls, which lie ready for each method that may be refused, and how much each matters. */
final class Refusals {

    /** Waits that are told, in milliseconds: few, so that their answers can lie ready. */
    private static final long[] WAITS_MILLIS = {100, 200, 500, 1_000, 2_000, 5_000};

    private static final String WHY = "more calls come than this node can answer; nothing was done";

    private static final Map<String, Refusals> BY_METHOD = byMethod();

    private final Criticality criticality;
    private final boolean isQuick;
    private final Optional<ReadyAnswer> elsewhere;
    private final List<Optional<ReadyAnswer>> later = new ArrayList<>();

    private <R extends TBase<R, F>, F extends TFieldIdEnum> Refusals(
            Criticality criticality, boolean isQuick, Supplier<R> result) {
        this.criticality = criticality;
        this.isQuick = isQuick;
        this.elsewhere = ready(result, Signal.TRY_ELSEWHERE, Optional.empty());
        for (long millis : WAITS_MILLIS) {
            later.add(ready(result, Signal.RETRY_AFTER, Optional.of(Duration.ofMillis(millis))));
        }
    }

    private static <R extends TBase<R, F>, F extends TFieldIdEnum> Optional<ReadyAnswer> ready(
            Supplier<R> result, Signal signal, Optional<Duration> retryAfter) {
        R empty = result.get();
        return Optional.of(new ReadyAnswer(WireErrors.fail(empty, new Overloaded(WHY, signal, retryAfter))
                .orElseThrow(() -> new IllegalArgumentException(empty + " declares no Overloaded"))));
    }

    private static Map<String, Refusals> byMethod() {
        Map<String, Refusals> all = new HashMap<>();
        Criticality leases = Criticality.CRITICAL;
        all.put("register", new Refusals(leases, true, Registry.register_result::new));
        all.put("advertise", new Refusals(leases, true, Discovery.advertise_result::new));
        all.put("heartbeat", new Refusals(leases, true, Discovery.heartbeat_result::new));
        all.put("deregister", new Refusals(leases, true, Discovery.deregister_result::new));
        all.put("setStatus", new Refusals(leases, true, Discovery.setStatus_result::new));
        Criticality usual = Criticality.NORMAL;
        all.put("discover", new Refusals(usual, true, Discovery.discover_result::new));
        all.put("tagDiscover", new Refusals(usual, true, Discovery.tagDiscover_result::new));
        all.put("owners", new Refusals(usual, true, Discovery.owners_result::new));
        all.put("members", new Refusals(usual, true, Discovery.members_result::new));
        all.put("getOntology", new Refusals(usual, false, Discovery.getOntology_result::new));
        all.put("listOntologies", new Refusals(usual, false, Discovery.listOntologies_result::new));
        all.put("putOntology", new Refusals(usual, false, Discovery.putOntology_result::new));
        all.put("removeOntology", new Refusals(usual, false, Discovery.removeOntology_result::new));
        Criticality first = Criticality.SHEDDABLE;
        all.put("serviceNames", new Refusals(first, false, Discovery.serviceNames_result::new));
        all.put("semanticDiscover", new Refusals(first, false, Discovery.semanticDiscover_result::new));
        all.put("catalog", new Refusals(first, false, Discovery.catalog_result::new));
        all.put("watch", new Refusals(first, false, Discovery.watch_result::new));
        return all;
    }

    /** Those of a method; absent where it is never refused, as the one that tells a node's status. */
    static Optional<Refusals> of(String method) {
        return Optional.ofNullable(BY_METHOD.get(method));
    }

    /** How much its calls matter, before anything is known of the single call. */
    Criticality criticality() {
        return criticality;
    }

    /** Whether how long its calls take tells how busy other nodes are: not where they are long, or wait for a change. */
    boolean isQuick() {
        return isQuick;
    }

    /** Sends the caller to another node. */
    Optional<ReadyAnswer> elsewhere() {
        return elsewhere;
    }

    /** Has the caller wait for this long, or a little longer. */
    Optional<ReadyAnswer> later(double millis) {
        for (int i = 0; i < WAITS_MILLIS.length; i++) {
            if (millis <= WAITS_MILLIS[i]) {
                return later.get(i);
            }
        }
        return later.get(WAITS_MILLIS.length - 1);
    }
}
