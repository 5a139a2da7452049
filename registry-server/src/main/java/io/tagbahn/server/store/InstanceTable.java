// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Instances by id, in buckets that are the same on all nodes, so that nodes can compare bucket by bucket. */
final class InstanceTable {

    private static final Comparator<StoredInstance> BY_ID = Comparator.comparing(StoredInstance::id);

    private final List<Map<InstanceId, StoredInstance>> buckets = new ArrayList<>(Buckets.COUNT);
    private int size;

    InstanceTable() {
        for (int i = 0; i < Buckets.COUNT; i++) {
            buckets.add(new HashMap<>(0));
        }
    }

    @Nullable
    StoredInstance get(InstanceId id) {
        return buckets.get(Buckets.of(id)).get(id);
    }

    /** Takes in an instance that isn't here yet. */
    void add(StoredInstance instance) {
        buckets.get(Buckets.of(instance.id())).put(instance.id(), instance);
        size++;
    }

    void remove(InstanceId id) {
        if (buckets.get(Buckets.of(id)).remove(id) != null) {
            size--;
        }
    }

    int size(int bucket) {
        return buckets.get(bucket).size();
    }

    int size() {
        return size;
    }

    /** A copy of a bucket, in the order of ids. */
    List<StoredInstance> sorted(int bucket) {
        List<StoredInstance> sorted = new ArrayList<>(buckets.get(bucket).values());
        sorted.sort(BY_ID);
        return sorted;
    }
}
