// SPDX-License-Identifier: Apache-2.0
/** What has changed in a node's store lately, for those who follow it. */
@NullMarked
package io.tagbahn.server.changes;

import org.jspecify.annotations.NullMarked;
