// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import io.tagbahn.model.MemberState;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Healthy nodes that were taken for dead. */
final class Removals {

    private Removals() {}

    /** How often one of the subjects was held to be no member by one of the observers. */
    static long of(List<ProcessNode> observers, List<MemberViews.Change> changes, List<ProcessNode> subjects) {
        Set<String> observing = ids(observers);
        Set<String> healthy = ids(subjects);
        return changes.stream()
                .filter(change -> observing.contains(change.observer()) && healthy.contains(change.subject()))
                .filter(change -> change.to()
                        .filter(state -> state != MemberState.DEAD && state != MemberState.LEFT)
                        .isEmpty())
                .count();
    }

    /** How often one of the subjects was under suspicion with one of the observers. */
    static long suspicions(List<ProcessNode> observers, List<MemberViews.Change> changes, List<ProcessNode> subjects) {
        Set<String> observing = ids(observers);
        Set<String> healthy = ids(subjects);
        return changes.stream()
                .filter(change -> observing.contains(change.observer()) && healthy.contains(change.subject()))
                .filter(change -> change.to()
                        .filter(state -> state == MemberState.SUSPECT)
                        .isPresent())
                .count();
    }

    private static Set<String> ids(List<ProcessNode> nodes) {
        return nodes.stream().map(ProcessNode::id).collect(Collectors.toSet());
    }
}
