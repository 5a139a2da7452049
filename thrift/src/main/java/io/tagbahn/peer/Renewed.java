// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.HeartbeatResult;

/** What a home made of heartbeats. */
public record Renewed(NodeView node, HeartbeatResult result) {}
