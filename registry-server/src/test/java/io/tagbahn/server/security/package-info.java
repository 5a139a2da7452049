// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.server.security;

import org.jspecify.annotations.NullMarked;
