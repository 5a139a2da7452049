// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.peer.Word;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What operators said of instances; it outlives registrations, and the node where the shell keeps a copy on disk. */
final class OperatorStatuses {

    private final Map<InstanceId, OperatorStatus> words = new HashMap<>();
    /** Versions at which words were taken back, so that an older word that comes late stays out; oldest first. */
    private final Map<InstanceId, TakenBack> takenBack = new LinkedHashMap<>();

    private final int countMax;
    private final long keptMillis;
    private long version;

    private final long takenBackMillis;

    private record TakenBack(long version, long untilEpochMillis) {}

    OperatorStatuses(int countMax, long keptMillis, long takenBackMillis) {
        this.countMax = countMax;
        this.keptMillis = keptMillis;
        this.takenBackMillis = takenBackMillis;
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

    /** The newest word, also where it took one back. */
    Word word(InstanceId id) {
        OperatorStatus word = words.get(id);
        if (word != null) {
            return word.word();
        }
        TakenBack back = takenBack.get(id);
        return back == null ? Word.NONE : new Word(InstanceStatus.UP, "", back.version());
    }

    /**
     * Keeps a newer word; an older one changes nothing.
     *
     * @return whether it was newer
     * @throws InvalidArgument where no more words can be kept
     */
    boolean set(InstanceId id, Word word, OptionalLong goneSinceEpochMillis, long epochMillis) {
        if (word.version() <= word(id).version()) {
            return false;
        }
        if (word.status() == InstanceStatus.UP) {
            if (words.remove(id) != null) {
                version++;
            }
            takenBack.remove(id);
            takenBack.put(id, new TakenBack(word.version(), epochMillis + takenBackMillis));
            if (takenBack.size() > countMax) {
                takenBack.remove(takenBack.keySet().iterator().next());
            }
            return true;
        }
        if (words.size() >= countMax && !words.containsKey(id)) {
            throw new InvalidArgument(
                    "instanceId",
                    "statuses of " + countMax + " instances are kept already, which is the most: set some back to UP");
        }
        takenBack.remove(id);
        words.put(id, new OperatorStatus(id, word.status(), word.reason(), word.version(), goneSinceEpochMillis));
        version++;
        return true;
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
        takenBack.values().removeIf(back -> back.untilEpochMillis() <= epochMillis);
        boolean forgotten = words.values()
                .removeIf(word -> word.goneSinceEpochMillis().isPresent()
                        && epochMillis - word.goneSinceEpochMillis().getAsLong() > keptMillis);
        if (forgotten) {
            version++;
        }
    }
}
