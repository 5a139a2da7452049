// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

/**
 * What does not change about a node while it runs.
 *
 * @param version of the program
 * @param startedNanos when it started, by its ticker
 * @param replicas nodes that hold each entry (k), where the cluster has as many
 */
public record NodeInfo(String id, String version, long startedNanos, int replicas) {}
