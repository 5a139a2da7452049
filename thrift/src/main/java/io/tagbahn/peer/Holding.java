// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.peer;

import io.tagbahn.model.InstanceId;

/**
 * What a node holds of an instance, or should hold, as numbers.
 *
 * @param home whether it holds the record
 * @param hash of everything that it holds
 */
public record Holding(InstanceId id, long generation, boolean home, long hash) {}
