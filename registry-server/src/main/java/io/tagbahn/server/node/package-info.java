// SPDX-License-Identifier: Apache-2.0
/** A node as a whole: its settings, its data directory, the order in which it starts and stops. */
@NullMarked
package io.tagbahn.server.node;

import org.jspecify.annotations.NullMarked;
