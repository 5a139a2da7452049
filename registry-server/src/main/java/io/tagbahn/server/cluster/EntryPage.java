// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.cluster;

import java.util.List;

/**
 * Entries of the whole cluster in the order of their UTF-8 bytes.
 *
 * @param more whether there are more behind the last one
 * @param degraded whether some may be missing
 */
public record EntryPage(List<String> entries, boolean more, boolean degraded) {}
