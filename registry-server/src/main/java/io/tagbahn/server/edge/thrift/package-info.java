// SPDX-License-Identifier: Apache-2.0
/** The Thrift protocol's door to the service: generated types come in here and go no further. */
@NullMarked
package io.tagbahn.server.edge.thrift;

import org.jspecify.annotations.NullMarked;
