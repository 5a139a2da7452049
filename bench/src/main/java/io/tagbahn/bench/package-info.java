// SPDX-License-Identifier: Apache-2.0
/** Measurements of Tagbahn: the floor that its transport sets, and what is built on it. */
@NullMarked
package io.tagbahn.bench;

import org.jspecify.annotations.NullMarked;
