// SPDX-License-Identifier: Apache-2.0
/** The front door of a node: what it answers, whatever protocol the question came by. */
@NullMarked
package io.tagbahn.server.service;

import org.jspecify.annotations.NullMarked;
