// SPDX-License-Identifier: Apache-2.0
/** Who waits for answers to change. */
@NullMarked
package io.tagbahn.server.watch;

import org.jspecify.annotations.NullMarked;
