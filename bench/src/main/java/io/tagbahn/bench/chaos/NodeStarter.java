// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

/** What starts nodes in processes of their own. */
@FunctionalInterface
public interface NodeStarter {

    /** Starts one and does not wait for it. */
    StartedNode start(NodeOrder order);
}
