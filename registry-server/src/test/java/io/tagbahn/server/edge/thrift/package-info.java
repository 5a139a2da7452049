// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.edge.thrift;

import org.jspecify.annotations.NullMarked;
