// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.model.HostPort;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The way to another member for messages that need an answer, or are too large for a datagram. */
public interface Streams {

    /**
     * Sends one message on a connection of its own.
     *
     * @param to where members reach it
     * @return the answer, empty where there is none; fails with a {@link java.net.ConnectException} among the causes
     *     where nobody listens there, within the timeout in any case
     */
    CompletionStage<byte[]> exchange(HostPort to, byte[] message, Duration timeout);
}
