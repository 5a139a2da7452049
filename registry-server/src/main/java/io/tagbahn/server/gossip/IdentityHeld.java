// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.gossip;

import io.tagbahn.model.HostPort;

/** Another live node has the id of this one. */
public final class IdentityHeld extends RuntimeException {

    private static final long serialVersionUID = 1L;

    IdentityHeld(String id, HostPort holder) {
        super("a live node with the id " + id + " is at " + holder);
    }
}
