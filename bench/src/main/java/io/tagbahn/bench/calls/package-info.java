// SPDX-License-Identifier: Apache-2.0
/**
 * Calls to services that misbehave: backends that leak memory, a pipeline in two zones, a chain with a slow end; with real
 * processes, found through a real registry and called through the client library.
 */
@NullMarked
package io.tagbahn.bench.calls;

import org.jspecify.annotations.NullMarked;
