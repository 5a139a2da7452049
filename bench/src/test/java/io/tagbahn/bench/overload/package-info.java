// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.bench.overload;

import org.jspecify.annotations.NullMarked;
