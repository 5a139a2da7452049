// SPDX-License-Identifier: Apache-2.0
/** What nodes of one cluster say to each other about the data: values, whatever carries them. */
@NullMarked
package io.tagbahn.peer;

import org.jspecify.annotations.NullMarked;
