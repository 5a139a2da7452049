// SPDX-License-Identifier: Apache-2.0
/** Tests of the client: its parts in virtual time, and the whole against a node. */
@NullMarked
package io.tagbahn.client;

import org.jspecify.annotations.NullMarked;
