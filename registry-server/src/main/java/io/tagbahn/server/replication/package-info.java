// SPDX-License-Identifier: Apache-2.0
/** What has to be sent to whom so that every node holds what the ring wants of it: a pure core. */
@NullMarked
package io.tagbahn.server.replication;

import org.jspecify.annotations.NullMarked;
