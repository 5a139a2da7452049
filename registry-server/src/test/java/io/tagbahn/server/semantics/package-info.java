// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.semantics;

import org.jspecify.annotations.NullMarked;
