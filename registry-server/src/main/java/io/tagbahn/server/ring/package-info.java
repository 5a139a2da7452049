// SPDX-License-Identifier: Apache-2.0
/** Who is responsible for what: a pure core, computed alike by every node. */
@NullMarked
package io.tagbahn.server.ring;

import org.jspecify.annotations.NullMarked;
