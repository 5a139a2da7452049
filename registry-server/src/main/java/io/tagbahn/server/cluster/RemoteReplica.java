// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

/** Another node, over a connection that has to be closed. */
public interface RemoteReplica extends Replica, AutoCloseable {

    /** Does not block. */
    @Override
    void close();
}
