// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

import java.net.SocketAddress;

/**
 * What the transport knows of a call.
 *
 * @param peer where it came from
 * @param arrivedNanos when its bytes were read, by the ticker of the server's loops
 */
public record RpcCall(SocketAddress peer, long arrivedNanos) {}
