// SPDX-License-Identifier: Apache-2.0
/** A cluster in one thread and virtual time: the same seed gives the same run. */
@NullMarked
package io.tagbahn.server.sim;

import org.jspecify.annotations.NullMarked;
