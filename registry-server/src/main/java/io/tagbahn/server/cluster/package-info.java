// SPDX-License-Identifier: Apache-2.0
/** A node's view of the cluster, and its own replica of the data with the thread that owns it. */
@NullMarked
package io.tagbahn.server.cluster;

import org.jspecify.annotations.NullMarked;
