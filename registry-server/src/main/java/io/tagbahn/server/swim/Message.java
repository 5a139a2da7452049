// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.HostPort;

/** One message of a datagram. */
sealed interface Message permits Claim, Message.Ping, Message.PingReq, Message.Ack, Message.Nack {

    /** Asks the target to answer with {@link Ack}; a node of another id does not answer it. */
    record Ping(long seq, String target) implements Message {}

    /** Asks the receiver to ping the target in the sender's stead. */
    record PingReq(long seq, String target, HostPort address) implements Message {}

    /** The target of the ping of this number is alive. */
    record Ack(long seq, String target) implements Message {}

    /** The receiver of a {@link PingReq} works, but the target has not answered it in time. */
    record Nack(long seq) implements Message {}
}
