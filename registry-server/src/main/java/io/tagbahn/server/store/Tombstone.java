// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import io.tagbahn.model.InstanceId;
import io.tagbahn.peer.Change;

/**
 * What is remembered of an instance that is gone.
 *
 * @param generation up to which nothing may bring it back
 * @param ended whether its lease ended; otherwise somebody deregistered it
 * @param keptMillis how much longer it is remembered
 */
public record Tombstone(InstanceId id, long generation, boolean ended, long keptMillis) {

    /** The same, for another node. */
    public Change.Removal removal() {
        return new Change.Removal(id, generation, ended, keptMillis);
    }
}
