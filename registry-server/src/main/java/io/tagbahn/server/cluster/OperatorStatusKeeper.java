// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.store.OperatorStatus;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where operators' words are kept so that they survive the node. */
public interface OperatorStatusKeeper {

    /**
     * Keeps these words in place of all that were kept before.
     *
     * @return completes when they, or newer ones, would survive; exceptionally where they could not be kept
     */
    CompletionStage<Void> keep(List<OperatorStatus> words);
}
