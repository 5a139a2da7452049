// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

/** How far a node takes part in its cluster; it says so of itself. */
public enum Stage {
    /** It takes writes, and is not read from: it is being filled. */
    JOINING,
    /** It has been filled. It is read from once all others that joined with it have been filled as well. */
    FILLED,
    READY,
    /** It is read from, and takes no writes: others take over what it owns. */
    LEAVING
}
