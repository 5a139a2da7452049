// SPDX-License-Identifier: Apache-2.0
/** The model as generated Thrift types, and back: the one place where a field of the wire meets its meaning. */
@NullMarked
package io.tagbahn.wire;

import org.jspecify.annotations.NullMarked;
