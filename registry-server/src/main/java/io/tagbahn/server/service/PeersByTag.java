// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.server.store.Peer;
import java.util.List;
import java.util.Map;

/**
 * The live instances under each of the tags that were asked for, spelt as they were asked for.
 *
 * @param peers in the order of the query; a tag that no live instance carries is absent
 * @param degraded true where the answer may be incomplete or stale
 */
public record PeersByTag(Map<String, List<Peer>> peers, boolean degraded) {}
