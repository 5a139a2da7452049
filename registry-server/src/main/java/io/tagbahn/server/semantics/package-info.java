// SPDX-License-Identifier: Apache-2.0
/** The tags that one node holds, ready to be matched: kept in step with its store and its ontologies. */
@NullMarked
package io.tagbahn.server.semantics;

import org.jspecify.annotations.NullMarked;
