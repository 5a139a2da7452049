// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.tagbahn.rpc;

import org.jspecify.annotations.NullMarked;
