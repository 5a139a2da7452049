// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

/**
 * What does not change about a node while it runs.
 *
 * @param version of the program
 * @param replicas nodes that hold each entry (k), where the cluster has as many
 * @param startedNanos when it started, by its ticker
 */
public record NodeInfo(String id, String version, int replicas, long startedNanos) {}
