// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.peer.Word;
import java.util.OptionalLong;

/**
 * An operator's word on an instance, as it is kept.
 *
 * @param status stricter than {@link InstanceStatus#UP}, which takes the word back
 * @param reason free text, empty where none was given
 * @param version orders the words on one instance, 1 or more
 * @param goneSinceEpochMillis when the instance was last seen; absent while it is registered
 */
public record OperatorStatus(
        InstanceId id, InstanceStatus status, String reason, long version, OptionalLong goneSinceEpochMillis) {

    public OperatorStatus {
        if (status == InstanceStatus.UP) {
            throw new IllegalArgumentException("an operator's UP is no word to keep: " + id);
        }
        if (version < 1) {
            throw new IllegalArgumentException("version " + version + " < 1");
        }
    }

    Word word() {
        return new Word(status, reason, version);
    }

    OperatorStatus seen() {
        return new OperatorStatus(id, status, reason, version, OptionalLong.empty());
    }

    OperatorStatus goneSince(long epochMillis) {
        return new OperatorStatus(id, status, reason, version, OptionalLong.of(epochMillis));
    }
}
