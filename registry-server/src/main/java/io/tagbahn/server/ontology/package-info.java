// SPDX-License-Identifier: Apache-2.0
/** The ontologies of the cluster as one node holds them: documents on disk, compiled into one closure. */
@NullMarked
package io.tagbahn.server.ontology;

import org.jspecify.annotations.NullMarked;
