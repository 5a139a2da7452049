// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.InstanceStatus;

/**
 * An operator's word on an instance.
 *
 * @param status {@link InstanceStatus#UP} takes an earlier word back
 * @param version a higher one stands over a lower one, whatever way they took; 0 where nothing was ever said
 */
public record Word(InstanceStatus status, String reason, long version) {

    /** Nothing was said. */
    public static final Word NONE = new Word(InstanceStatus.UP, "", 0);

    public Word {
        if (version < 0) {
            throw new IllegalArgumentException("version " + version + " < 0");
        }
    }
}
