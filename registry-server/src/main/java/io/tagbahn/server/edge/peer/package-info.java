// SPDX-License-Identifier: Apache-2.0
/** Calls between nodes: the door through which other nodes reach this one's replica, and the way to theirs. */
@NullMarked
package io.tagbahn.server.edge.peer;

import org.jspecify.annotations.NullMarked;
