// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import java.util.OptionalLong;

/**
 * An operator's word on an instance.
 *
 * @param status stricter than {@link InstanceStatus#UP}, which takes the word back
 * @param reason free text, empty where none was given
 * @param goneSinceEpochMillis when the instance was last seen; absent while it is registered
 */
public record OperatorStatus(InstanceId id, InstanceStatus status, String reason, OptionalLong goneSinceEpochMillis) {

    public OperatorStatus {
        if (status == InstanceStatus.UP) {
            throw new IllegalArgumentException("an operator's UP is no word to keep: " + id);
        }
    }

    OperatorStatus seen() {
        return new OperatorStatus(id, status, reason, OptionalLong.empty());
    }

    OperatorStatus goneSince(long epochMillis) {
        return new OperatorStatus(id, status, reason, OptionalLong.of(epochMillis));
    }
}
