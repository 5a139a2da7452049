// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.server.swim.SwimConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How a node takes part in membership.
 *
 * @param swim settings of the machine
 * @param bind where datagrams are received
 * @param seeds public addresses of nodes, {@code HOST:PORT}
 */
public record GossipTerms(SwimConfig swim, InetSocketAddress bind, List<String> seeds) {

    /** Streams opened and not yet closed; further ones fail. */
    static final int STREAMS_MAX = 256;

    /** Messages of others waiting for their answer; further ones are refused. */
    static final int ACCEPTS_MAX = 256;

    /** Bytes of datagrams that wait to be sent; more are dropped, as a network would. */
    static final int OUTBOUND_BYTES_MAX = 4 << 20;

    /** Room for a burst of datagrams while the thread is busy. */
    static final int RECEIVE_BUFFER_BYTES = 1 << 20;

    static final Duration STREAM_TIMEOUT = Duration.ofSeconds(3);

    /** How long the news of leaving may take to spread. */
    static final Duration LEAVE_MAX = Duration.ofSeconds(4);

    static final Duration STOP_MAX = Duration.ofSeconds(2);

    public GossipTerms {
        seeds = List.copyOf(seeds);
    }
}
