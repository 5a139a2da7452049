// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.List;
import java.util.Optional;

/**
 * A page of registered entries in the order of their UTF-8 bytes.
 *
 * @param nextCursor where the next page begins; absent on the last one
 * @param degraded true where the page may be incomplete
 */
public record NamesPage(List<String> names, Optional<String> nextCursor, boolean degraded) {

    public NamesPage {
        names = List.copyOf(names);
    }
}
