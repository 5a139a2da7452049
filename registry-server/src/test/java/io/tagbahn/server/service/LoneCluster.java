// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.service;

import io.tagbahn.model.HostPort;
import io.tagbahn.model.Locality;
import io.tagbahn.model.MemberState;
import io.tagbahn.server.changes.Keeping;
import io.tagbahn.server.cluster.Cluster;
import io.tagbahn.server.cluster.ClusterConfig;
import io.tagbahn.server.cluster.ClusterMember;
import io.tagbahn.server.cluster.LocalReplica;
import io.tagbahn.server.cluster.Meaning;
import io.tagbahn.server.cluster.Membership;
import io.tagbahn.server.cluster.Stage;
import io.tagbahn.server.ontology.OntologyFiles;
import io.tagbahn.server.ontology.OntologyTerms;
import io.tagbahn.server.ring.RingMember;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** A cluster of the node that is tested alone; its timer does nothing. */
final class LoneCluster {

    private LoneCluster() {}

    static Meaning meaning(LongSupplier ticker) {
        return new Meaning(
                OntologyTerms.defaults(),
                OntologyFiles.inMemory(),
                1,
                1_000_000,
                new Meaning.LogTerms(1, Keeping.of(1_000, 1 << 20, 1 << 20), ticker));
    }

    static Cluster of(LocalReplica replica, Meaning meaning, LongSupplier ticker, InstantSource clock) {
        return new Cluster(
                "n",
                new ClusterConfig(
                        "tests",
                        1,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        1 << 20),
                Membership.alone(new ClusterMember(
                        "n",
                        HostPort.parse("127.0.0.1:1"),
                        HostPort.parse("127.0.0.1:2"),
                        Locality.UNKNOWN,
                        RingMember.WEIGHT_USUAL,
                        Stage.JOINING,
                        MemberState.ALIVE,
                        1)),
                replica,
                meaning,
                member -> {
                    throw new IllegalStateException("no other node is there: " + member);
                },
                (delay, task) -> () -> {},
                ticker,
                clock,
                new SplittableRandom(1));
    }
}
