// SPDX-License-Identifier: Apache-2.0
/** Plots as SVG, which browsers show without anything else. */
@NullMarked
package io.tagbahn.bench.plot;

import org.jspecify.annotations.NullMarked;
