// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.List;

/**
 * A part of all entries, or of what happened to them since.
 *
 * @param token where to go on
 * @param more whether more can be had at once
 * @param reset whether a new copy begins here
 */
public record CatalogPage(List<String> added, List<String> removed, String token, boolean more, boolean reset) {

    public CatalogPage {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
    }
}
