// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.swim;

import io.tagbahn.model.MemberState;

/** One line of the sender's list of members. */
record StateEntry(NodeRecord node, long incarnation, MemberState state) {}
