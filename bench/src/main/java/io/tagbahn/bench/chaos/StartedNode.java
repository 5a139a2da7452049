// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.chaos;

import java.util.concurrent.CompletableFuture;

/**
 * A node's process.
 *
 * @param process whose pid is the node's
 * @param ready completes when the node has said that it answers; with false where it has ended before
 */
public record StartedNode(Process process, CompletableFuture<Boolean> ready) {}
