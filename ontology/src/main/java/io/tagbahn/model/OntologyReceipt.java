// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.List;
import java.util.Optional;

/**
 * What became of a document that was put.
 *
 * @param warnings for people: what is odd about it, and which nodes don't have it yet
 * @param effect what it would change, where that was asked
 */
public record OntologyReceipt(OntologyInfo info, List<String> warnings, Optional<OntologyEffect> effect) {

    public OntologyReceipt {
        warnings = List.copyOf(warnings);
    }
}
