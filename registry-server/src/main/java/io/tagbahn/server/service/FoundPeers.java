// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.server.store.Peer;
import java.util.List;

/**
 * The live instances of a service.
 *
 * @param degraded true where the answer may be incomplete or stale
 */
public record FoundPeers(List<Peer> peers, boolean degraded) {}
