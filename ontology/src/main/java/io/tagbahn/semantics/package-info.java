// SPDX-License-Identifier: Apache-2.0
/**
 * Meaning: reads ontologies, compiles their axioms, and finds the tags that answer a query.
 *
 * <p>The only package that knows Jena, and the only door through which RDF text comes in: {@link OntologyParser}.
 */
@NullMarked
package io.tagbahn.semantics;

import org.jspecify.annotations.NullMarked;
