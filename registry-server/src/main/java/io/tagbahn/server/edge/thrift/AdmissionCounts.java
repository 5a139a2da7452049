// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.Criticality;
import io.tagbahn.server.admission.Decision;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How many calls met with which decision, by criticality. May be used by many threads. */
public final class AdmissionCounts {

    private final Map<Decision, Map<Criticality, LongAdder>> counts = new EnumMap<>(Decision.class);

    AdmissionCounts() {
        for (Decision decision : Decision.values()) {
            Map<Criticality, LongAdder> of = new EnumMap<>(Criticality.class);
            for (Criticality criticality : Criticality.values()) {
                of.put(criticality, new LongAdder());
            }
            counts.put(decision, of);
        }
    }

    void count(Decision decision, Criticality criticality) {
        adder(decision, criticality).increment();
    }

    public long counted(Decision decision, Criticality criticality) {
        return adder(decision, criticality).sum();
    }

    private LongAdder adder(Decision decision, Criticality criticality) {
        return Objects.requireNonNull(
                Objects.requireNonNull(counts.get(decision)).get(criticality));
    }

    /** All of them, as {@code decision.criticality}. */
    public Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        for (Decision decision : Decision.values()) {
            for (Criticality criticality : Criticality.values()) {
                String name = decision.name() + "." + criticality.name();
                all.put(name.toLowerCase(Locale.ROOT).replace('_', '-'), counted(decision, criticality));
            }
        }
        return all;
    }
}
