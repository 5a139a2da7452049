// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.bench.micro;

import org.jspecify.annotations.NullMarked;
