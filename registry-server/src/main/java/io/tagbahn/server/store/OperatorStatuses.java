// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What operators said of instances; it outlives registrations, and the node where the shell keeps a copy on disk. */
final class OperatorStatuses {

    private final Map<InstanceId, OperatorStatus> words = new HashMap<>();
    private final int countMax;
    private final long keptMillis;
    private long version;

    OperatorStatuses(int countMax, long keptMillis) {
        this.countMax = countMax;
        this.keptMillis = keptMillis;
    }

    /** Grows with every change. */
    long version() {
        return version;
    }

    List<OperatorStatus> snapshot() {
        return List.copyOf(words.values());
    }

    /**
     * Takes in what was kept on disk, all of it: no word is dropped because the limit is lower now. Who was there when
     * it was written counts as gone since now.
     */
    void restore(List<OperatorStatus> kept, long epochMillis) {
        for (OperatorStatus word : kept) {
            words.put(word.id(), word.goneSince(word.goneSinceEpochMillis().orElse(epochMillis)));
        }
        version++;
    }

    boolean contains(InstanceId id) {
        return words.containsKey(id);
    }

    InstanceStatus status(InstanceId id) {
        OperatorStatus word = words.get(id);
        return word == null ? InstanceStatus.UP : word.status();
    }

    /** @throws InvalidArgument where no more words can be kept */
    void set(InstanceId id, InstanceStatus status, String reason, OptionalLong goneSinceEpochMillis) {
        if (status == InstanceStatus.UP) {
            if (words.remove(id) != null) {
                version++;
            }
            return;
        }
        if (words.size() >= countMax && !words.containsKey(id)) {
            throw new InvalidArgument(
                    "instanceId",
                    "statuses of " + countMax + " instances are kept already, which is the most: set some back to UP");
        }
        words.put(id, new OperatorStatus(id, status, reason, goneSinceEpochMillis));
        version++;
    }

    void seen(InstanceId id) {
        OperatorStatus word = words.get(id);
        if (word != null && word.goneSinceEpochMillis().isPresent()) {
            words.put(id, word.seen());
            version++;
        }
    }

    void gone(InstanceId id, long epochMillis) {
        OperatorStatus word = words.get(id);
        if (word != null) {
            words.put(id, word.goneSince(epochMillis));
            version++;
        }
    }

    /** Forgets words on instances that have not been seen for long enough. */
    void forget(long epochMillis) {
        boolean forgotten = words.values()
                .removeIf(word -> word.goneSinceEpochMillis().isPresent()
                        && epochMillis - word.goneSinceEpochMillis().getAsLong() > keptMillis);
        if (forgotten) {
            version++;
        }
    }
}
