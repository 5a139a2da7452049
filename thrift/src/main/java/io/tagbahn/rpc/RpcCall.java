// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.net.SocketAddress;
import java.util.Optional;

/**
 * What the transport knows of a call.
 *
 * @param peer where it came from
 * @param arrivedNanos when its bytes were read, by the ticker of the server's loops
 * @param peerName the name that the caller has {@linkplain RpcTls#admit proved} to have; absent where the connection
 *     is plain
 */
public record RpcCall(SocketAddress peer, long arrivedNanos, Optional<String> peerName) {}
