// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.changes;

import org.jspecify.annotations.NullMarked;
