// SPDX-License-Identifier: Apache-2.0
/** Micro-benchmarks; those of what is package-private are in its package, as its tests are. */
@NullMarked
package io.tagbahn.bench.micro;

import org.jspecify.annotations.NullMarked;
