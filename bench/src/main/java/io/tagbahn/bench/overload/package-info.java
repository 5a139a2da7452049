// SPDX-License-Identifier: Apache-2.0
/** More load than a cluster can answer, with the contract for it and without. */
@NullMarked
package io.tagbahn.bench.overload;

import org.jspecify.annotations.NullMarked;
