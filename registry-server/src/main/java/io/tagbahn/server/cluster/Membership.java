// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.List;

/**
 * Who is in the cluster, as this node knows it.
 *
 * <p>It begins once the node has found its cluster, or knows that it is the first: a node that sees only itself answers
 * for all keys.
 */
public interface Membership extends AutoCloseable {

    /** All members, this node among them; a snapshot. */
    List<ClusterMember> members();

    /** Has something run after each change, on any thread; it must not block. */
    void onChange(Runnable listener);

    /**
     * Has something run, on any thread, when others are found to have held this node dead for a while: they may not have
     * told it of changes. It must not block.
     */
    default void onTakenForDead(Runnable listener) {
        // Nobody takes a node for dead by a list that is kept by hand.
    }

    /** Tells the others how far this node takes part; {@link #members()} says so from then on. */
    void announce(Stage stage);

    /** A call to a member could not be made, or its connection was lost: it may be gone. */
    default void lost(String id) {
        // A list that is kept by hand learns nothing from it.
    }

    /** Tells the others that this node has left. */
    @Override
    void close();

    /** A node by itself. */
    static Membership alone(ClusterMember self) {
        return new Membership() {
            @Override
            public List<ClusterMember> members() {
                return List.of(self.withStage(Stage.READY));
            }

            @Override
            public void onChange(Runnable listener) {
                // Nothing ever does.
            }

            @Override
            public void announce(Stage stage) {
                // Nobody is there to hear it.
            }

            @Override
            public void close() {
                // Nobody is there to hear it.
            }
        };
    }
}
