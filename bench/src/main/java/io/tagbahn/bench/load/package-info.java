// SPDX-License-Identifier: Apache-2.0
/** Load on a node or a cluster: in an open or a closed loop, from several processes, beside the same load on an echo. */
@NullMarked
package io.tagbahn.bench.load;

import org.jspecify.annotations.NullMarked;
