// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/** One side of encrypted connections: where their engines come from, and whom it speaks with. */
public interface RpcTls {

    /**
     * The engine for a new connection, in the mode of this side and with its demands set.
     *
     * <p>Asked for each connection, so that new keys hold from the next one on. Runs on an event loop.
     */
    SSLEngine newEngine();

    /**
     * The name that the other side has proved to have.
     *
     * @param session of a handshake that has succeeded
     * @throws SSLException where this side doesn't speak with it; the message is for the log
     */
    String admit(SSLSession session) throws SSLException;
}
