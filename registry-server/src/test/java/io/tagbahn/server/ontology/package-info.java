// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.ontology;

import org.jspecify.annotations.NullMarked;
