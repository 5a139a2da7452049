// SPDX-License-Identifier: Apache-2.0
/**
 * Thrift calls over Netty: a server that takes every form of Thrift that stock clients speak, and a client that
 * multiplexes calls over one connection.
 *
 * <p>Nothing here knows what is called: methods come in as an {@link io.tagbahn.rpc.RpcService}, arguments and results
 * are generated structs.
 */
@NullMarked
package io.tagbahn.rpc;

import org.jspecify.annotations.NullMarked;
