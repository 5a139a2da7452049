// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.rpc;

/** Why a server ended a connection, or found it ended. */
public enum CloseReason {
    /** The other side closed it. */
    PEER,
    /** The first bytes were no Thrift. */
    NOT_THRIFT,
    /** The first bytes were no TLS, where connections are encrypted. */
    NOT_TLS,
    /** A handshake or an encrypted record was bad, or the other side is none that is spoken with. */
    TLS_FAILED,
    /** Bytes later on were no Thrift, or broke a limit of a message. */
    PROTOCOL_ERROR,
    /** No handshake or no whole first message came in time. */
    FIRST_FRAME_TIMEOUT,
    /** A message stopped on its way. */
    STALLED_FRAME,
    /** The other side did not read its answers. */
    STALLED_READER,
    /** Nothing happened for the idle time. */
    IDLE,
    /** There were as many connections as are allowed. */
    CONNECTION_LIMIT,
    /** Messages on their way took as much memory as is allowed. */
    INBOUND_LIMIT,
    /** The server was closed. */
    SERVER_CLOSED,
    /** The network failed. */
    NETWORK_ERROR
}
