// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

/**
 * What does not change about a node while it runs.
 *
 * @param version of the program
 * @param startedNanos when it started, by its ticker
 * @param replicas copies of each entry that its cluster keeps
 */
public record NodeInfo(String id, String version, long startedNanos, int replicas) {}
