// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client.calls;

import io.tagbahn.model.Instance;
import java.util.Collection;

/** What tells of hosts, now and whenever they change, until it is closed. */
interface HostFeed extends AutoCloseable {

    /** Is told of hosts. */
    @FunctionalInterface
    interface Sink {
        /** @param complete false where some hosts may be missing */
        void listed(Collection<Instance> instances, boolean complete);
    }

    /** To be called once. */
    void start(Sink sink);

    @Override
    void close();
}
