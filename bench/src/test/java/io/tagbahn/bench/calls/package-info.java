// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.bench.calls;

import org.jspecify.annotations.NullMarked;
