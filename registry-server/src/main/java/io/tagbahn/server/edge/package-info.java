// SPDX-License-Identifier: Apache-2.0
/** What edges that speak Thrift have in common. */
@NullMarked
package io.tagbahn.server.edge;

import org.jspecify.annotations.NullMarked;
