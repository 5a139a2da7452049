// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A posting of two instances or more; immutable to readers.
 *
 * <p>Successive postings share one array, of which each sees its own first part: the writer appends behind the part that
 * readers see. So the millionth instance of a name costs no more than the first.
 */
final class SharedPosting implements Posting {

    private final StoredInstance[] instances;
    private final int size;

    private SharedPosting(StoredInstance[] instances, int size) {
        this.instances = instances;
        this.size = size;
    }

    static SharedPosting of(StoredInstance first, StoredInstance second) {
        return new SharedPosting(new StoredInstance[] {first, second}, 2);
    }

    @Override
    public SharedPosting with(StoredInstance instance) {
        StoredInstance[] longer =
                size < instances.length ? instances : Arrays.copyOf(instances, size + Math.max(2, size / 4));
        longer[size] = instance;
        return new SharedPosting(longer, size + 1);
    }

    /** This posting without an instance that is in it; one that is left stands alone. */
    Posting without(StoredInstance instance) {
        int at = 0;
        while (instances[at] != instance) {
            at++;
        }
        if (size == 2) {
            return instances[1 - at];
        }
        StoredInstance[] rest = new StoredInstance[size - 1];
        System.arraycopy(instances, 0, rest, 0, at);
        System.arraycopy(instances, at + 1, rest, at, size - at - 1);
        return new SharedPosting(rest, size - 1);
    }

    @Override
    public void forEachOffered(Consumer<? super Peer> peers) {
        for (int i = 0; i < size; i++) {
            instances[i].forEachOffered(peers);
        }
    }
}
