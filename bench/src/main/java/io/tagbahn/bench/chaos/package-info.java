// SPDX-License-Identifier: Apache-2.0
/** How reliable a cluster is: nodes in processes of their own are killed, frozen, starved and parted, and looked at. */
@NullMarked
package io.tagbahn.bench.chaos;

import org.jspecify.annotations.NullMarked;
