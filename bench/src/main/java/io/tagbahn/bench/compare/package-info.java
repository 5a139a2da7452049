// SPDX-License-Identifier: Apache-2.0
/** What two commits' micro-benchmarks say of each other: which times differ by more than noise. */
@NullMarked
package io.tagbahn.bench.compare;

import org.jspecify.annotations.NullMarked;
