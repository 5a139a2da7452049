// SPDX-License-Identifier: Apache-2.0
/** The {@code tagbahn} command: what people and scripts type, and what they read. */
@NullMarked
package io.tagbahn.cli;

import org.jspecify.annotations.NullMarked;
