// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.security;

/** What becomes of datagrams on their way to the membership machine. */
public enum PacketCounter {
    /** Opened and handed on; where there are no keys, handed on as they are. */
    TAKEN,
    /** Sealed, but by no key that this node has, for another cluster, or changed on the way: dropped. */
    UNOPENED,
    /** Not sealed where they have to be, or garbage: dropped. */
    UNSEALED,
    /** Sealed, where this node has no keys: dropped. */
    SEALED_ELSEWHERE,
    /** Opened before, or too old to tell: dropped. */
    REPLAYED
}
