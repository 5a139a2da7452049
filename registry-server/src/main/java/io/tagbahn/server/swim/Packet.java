// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import java.util.List;

/** What one datagram says. */
record Packet(String cluster, String sender, List<Message> messages) {

    Packet {
        messages = List.copyOf(messages);
    }
}
