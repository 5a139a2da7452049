// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

/** The bounds of what members send each other. */
public final class CodecLimits {

    /** Largest datagram that is looked at. */
    public static final int PACKET_BYTES_MAX = 65_507;

    /** Largest message on a stream. */
    public static final int STREAM_BYTES_MAX = 8 << 20;

    /** Most members in one state, the dead included. */
    public static final int MEMBERS_MAX = 8_192;

    /** So that a state of the largest records fits a stream's message. */
    static final int LIVE_MAX = 7_000;

    /** Most of the dead that go into a state, the latest first. */
    static final int DEAD_TOLD_MAX = 512;

    static final int CLUSTER_BYTES_MAX = 64;
    static final int ID_BYTES_MAX = 128;
    static final int METADATA_ENTRIES_MAX = 16;
    static final int METADATA_BYTES_MAX = 255;
    static final int RECORD_BYTES_MAX = 1_000;
    static final int MESSAGES_MAX = 2_048;

    /** Highest incarnation: far above what counting reaches, far below overflow. */
    static final long INCARNATION_MAX = 1L << 52;

    private CodecLimits() {}
}
