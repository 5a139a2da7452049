// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.store;

import java.util.function.Consumer;

/** The instances that carry one entry. Most entries have one: it stands for its own posting, at no further cost. */
sealed interface Posting permits StoredInstance, SharedPosting {

    /** Hands over those of the instances that may be handed out now. */
    void forEachOffered(Consumer<? super Peer> peers);

    /** This posting and one more instance, not in it so far. For the writer only, on the newest posting of an entry. */
    Posting with(StoredInstance instance);
}
