// SPDX-License-Identifier: Apache-2.0
/**
 * The words of Tagbahn as values: what a value of these types says is valid, wherever it came from.
 *
 * <p>Nothing here depends on a library, does I/O or reads a clock.
 */
@NullMarked
package io.tagbahn.model;

import org.jspecify.annotations.NullMarked;
