// SPDX-License-Identifier: Apache-2.0
/**
 * Who owns which key: consistent hashing with virtual nodes, and the choice of a key's replicas on the ring.
 *
 * <p>Pure values: the same members give the same owners everywhere, whatever the order in which they came.
 *
 * <p>Source: Karger et al., "Consistent Hashing and Random Trees" (STOC 1997).
 */
@NullMarked
package io.tagbahn.server.ring;

import org.jspecify.annotations.NullMarked;
