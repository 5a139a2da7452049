// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import io.tagbahn.server.store.Peer;
import java.util.List;
import java.util.Set;

/**
 * What the cluster holds under entries.
 *
 * @param peers in the order of the question
 * @param degraded whether some of it may be incomplete or stale
 * @param answered whether any node that holds an entry in full has answered for it; otherwise nothing is known
 * @param by the nodes whose answers these are
 */
public record FoundEntries(List<List<Peer>> peers, boolean degraded, boolean answered, Set<String> by) {}
