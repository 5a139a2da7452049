// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.InstanceId;
import io.tagbahn.model.InstanceStatus;
import io.tagbahn.model.LeaseRef;

/** A change that a caller asks for: one home of the instance decides about it, then all others are told. */
public sealed interface Decision {

    InstanceId id();

    /** To register, or to add or take away tags. */
    record Registration(RegisterCommand command) implements Decision {
        @Override
        public InstanceId id() {
            return command.instance().id();
        }
    }

    /** To deregister. */
    record Deregistration(LeaseRef lease) implements Decision {
        @Override
        public InstanceId id() {
            return lease.instanceId();
        }
    }

    /** An operator's word. */
    record StatusChange(InstanceId id, InstanceStatus status, String reason) implements Decision {}
}
