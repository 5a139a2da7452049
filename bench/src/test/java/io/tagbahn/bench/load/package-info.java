// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.bench.load;

import org.jspecify.annotations.NullMarked;
