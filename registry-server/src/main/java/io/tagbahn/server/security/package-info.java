// SPDX-License-Identifier: Apache-2.0
/** What keeps strangers out of a cluster: the keys of a node, sealed datagrams, certificates of both sides. */
@NullMarked
package io.tagbahn.server.security;

import org.jspecify.annotations.NullMarked;
