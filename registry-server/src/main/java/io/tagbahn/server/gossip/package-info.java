// SPDX-License-Identifier: Apache-2.0
/** What drives the membership machine: a thread, sockets, a memory across restarts. */
@NullMarked
package io.tagbahn.server.gossip;

import org.jspecify.annotations.NullMarked;
