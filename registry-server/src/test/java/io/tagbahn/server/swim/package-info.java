// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.swim;

import org.jspecify.annotations.NullMarked;
