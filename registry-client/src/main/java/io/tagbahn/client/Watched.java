// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.TagPeers;
import java.util.Optional;

/**
 * What a node tells of something that is watched: one of the two where it changed, none where it didn't.
 *
 * @param token of the answer that the caller has from now on
 */
record Watched(String token, Optional<TagPeers> tags, Optional<SemanticAnswer> meant) {}
