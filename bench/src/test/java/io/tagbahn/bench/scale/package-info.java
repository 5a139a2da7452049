// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.bench.scale;

import org.jspecify.annotations.NullMarked;
