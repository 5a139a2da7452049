// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.admission;

import org.jspecify.annotations.NullMarked;
