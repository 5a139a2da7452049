// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.Instance;
import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Word;
import java.util.List;

/**
 * What a store holds of an instance, at one moment.
 *
 * @param home whether it holds the record: all entries and the lease
 * @param entries all of them where it does, else empty; sorted
 * @param posted those under which the instance is found here; sorted
 * @param leaseMillis 0 where the record isn't held
 * @param leftMillis what is left of the lease; 0 where it is past its end, or not held
 * @param origin a hash of the replacement that what is held goes back to
 */
public record Held(
        Instance instance,
        long generation,
        boolean home,
        List<String> entries,
        List<String> posted,
        int leaseMillis,
        long leftMillis,
        Word word,
        long origin) {

    public InstanceId id() {
        return instance.id();
    }
}
