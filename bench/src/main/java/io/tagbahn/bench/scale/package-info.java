// SPDX-License-Identifier: Apache-2.0
/** What registering, renewing and looking up cost as tags, instances, nodes and replicas grow. */
@NullMarked
package io.tagbahn.bench.scale;

import org.jspecify.annotations.NullMarked;
