// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.time.Duration;

/**
 * What a node says of itself.
 *
 * @param replicas copies of each tag that the cluster keeps (k)
 * @param tags entries held by this node, service names and tags alike
 * @param instances instances held by this node
 * @param ontologyVersion identifies the set of ontologies in force
 */
public record NodeStatus(
        String id,
        String version,
        boolean ready,
        int replicas,
        long tags,
        long instances,
        String ontologyVersion,
        Duration uptime) {}
