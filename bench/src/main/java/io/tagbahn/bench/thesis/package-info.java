// SPDX-License-Identifier: Apache-2.0
/** The thesis's experiments: what registering and discovering by many tags costs, against one name a call. */
@NullMarked
package io.tagbahn.bench.thesis;

import org.jspecify.annotations.NullMarked;
