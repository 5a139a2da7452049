// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Leases by the time when they are to be looked at: a binary heap whose members know their place.
 *
 * <p>A renewal costs an assignment: the heap finds out when it next looks at the lease, which is once in a lease's
 * length at most. Times are those of a nano ticker and may wrap round; no lease is longer than {@code 2^62} ns.
 */
final class Leases {

    private static final int CAPACITY_MIN = 16;

    private @Nullable StoredInstance[] heap = new StoredInstance[CAPACITY_MIN];
    private int size;

    int size() {
        return size;
    }

    /** Takes in an instance that isn't here yet. */
    void add(StoredInstance instance, long expiresNanos) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size + (size >> 1));
        }
        instance.expiresNanos(expiresNanos);
        instance.dueNanos(expiresNanos);
        size++;
        siftUp(size - 1, instance);
    }

    /** Moves the end of a lease, to later or earlier. */
    void renew(StoredInstance instance, long expiresNanos) {
        instance.expiresNanos(expiresNanos);
        if (expiresNanos - instance.dueNanos() < 0) {
            instance.dueNanos(expiresNanos);
            siftUp(instance.leasePosition(), instance);
        }
    }

    /** Lets go of an instance that is here. */
    void remove(StoredInstance instance) {
        int at = instance.leasePosition();
        size--;
        StoredInstance last = at(size);
        heap[size] = null;
        if (at < size) {
            siftDown(at, last);
            siftUp(last.leasePosition(), last);
        }
        if (size < heap.length / 4 && heap.length > CAPACITY_MIN) {
            heap = Arrays.copyOf(heap, Math.max(CAPACITY_MIN, heap.length / 2));
        }
    }

    /** Takes out an instance whose lease ended at {@code nowNanos} or before; those that ended first come first. */
    Optional<StoredInstance> poll(long nowNanos) {
        while (size > 0) {
            StoredInstance first = at(0);
            if (first.dueNanos() - nowNanos > 0) {
                return Optional.empty();
            }
            if (first.expiresNanos() - first.dueNanos() > 0) {
                first.dueNanos(first.expiresNanos());
                siftDown(0, first);
            } else {
                remove(first);
                return Optional.of(first);
            }
        }
        return Optional.empty();
    }

    private StoredInstance at(int position) {
        StoredInstance instance = heap[position];
        if (instance == null) {
            throw new IllegalStateException("no lease at " + position + " of " + size);
        }
        return instance;
    }

    private void place(int position, StoredInstance instance) {
        heap[position] = instance;
        instance.leasePosition(position);
    }

    private void siftUp(int from, StoredInstance instance) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            StoredInstance above = at(parent);
            if (above.dueNanos() - instance.dueNanos() <= 0) {
                break;
            }
            place(at, above);
            at = parent;
        }
        place(at, instance);
    }

    private void siftDown(int from, StoredInstance instance) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && at(child + 1).dueNanos() - at(child).dueNanos() < 0) {
                child++;
            }
            StoredInstance below = at(child);
            if (instance.dueNanos() - below.dueNanos() <= 0) {
                break;
            }
            place(at, below);
            at = child;
        }
        place(at, instance);
    }
}
