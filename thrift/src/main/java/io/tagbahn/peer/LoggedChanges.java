// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import java.util.List;

/**
 * Changes at a node from a position on.
 *
 * @param next where to read on
 * @param reset whether the position is not known there any more, so that changes may be missing
 * @param changes in their order; none where there was a reset
 */
public record LoggedChanges(NodeView node, LogPosition next, boolean reset, List<LoggedChange> changes) {}
