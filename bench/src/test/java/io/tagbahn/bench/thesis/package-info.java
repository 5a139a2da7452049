// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.bench.thesis;

import org.jspecify.annotations.NullMarked;
