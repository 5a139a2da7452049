// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** What a {@link SwimMachine} counts since its start. */
public enum SwimCounter {
    DATAGRAMS_SENT,
    DATAGRAM_BYTES_SENT,
    DATAGRAMS_RECEIVED,
    DATAGRAM_BYTES_RECEIVED,
    STREAM_BYTES_SENT,
    /** Bytes that are no message of ours: dropped. */
    BAD_MESSAGES,
    /** Messages that name another cluster: dropped. */
    FOREIGN_MESSAGES,
    PROBES,
    PROBES_INDIRECT,
    PROBES_FAILED,
    /** Suspicions of others that began here. */
    SUSPICIONS,
    /** Claims of this node's own death, refuted. */
    REFUTATIONS,
    /** Accusations by nobody we know alive, or with an incarnation that cannot be: dropped. */
    CLAIMS_REFUSED,
    /** Claims about further members, dropped because the list of members is full. */
    MEMBERS_REFUSED,
    /** Claims to an id that a live member elsewhere holds: refused. */
    IDENTITIES_REFUSED,
    GOSSIP_DROPPED,
    EXCHANGES,
    EXCHANGES_FAILED,
    /** Times that this process found itself to have been stopped. */
    PAUSES
}
