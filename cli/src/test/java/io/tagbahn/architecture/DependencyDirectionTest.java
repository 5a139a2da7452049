// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.tagbahn.server.store.Peer;

/** Dependencies point one way: model, cores, cluster, service, edges, node. */
@AnalyzeClasses(packages = "io.tagbahn", importOptions = ImportOption.DoNotIncludeTests.class)
final class DependencyDirectionTest {

    private static final String MODEL = "io.tagbahn.model..";
    private static final String SEMANTICS = "io.tagbahn.semantics..";
    private static final String THRIFT = "io.tagbahn.thrift..";
    /** Where the client library turns its own types into those of the wire. */
    private static final String CLIENT_WIRE = "io\\.tagbahn\\.client\\.Thrift\\w+(\\$.*)?";

    private static final String WIRE = "io.tagbahn.wire..";
    private static final String RPC = "io.tagbahn.rpc..";
    private static final String SERVER = "io.tagbahn.server..";
    private static final String STORE = "io.tagbahn.server.store..";
    private static final String RING = "io.tagbahn.server.ring..";
    private static final String SWIM = "io.tagbahn.server.swim..";
    private static final String REPLICATION = "io.tagbahn.server.replication..";
    private static final String ADMISSION = "io.tagbahn.server.admission..";
    private static final String CLUSTER = "io.tagbahn.server.cluster..";
    private static final String GOSSIP = "io.tagbahn.server.gossip..";
    private static final String SECURITY = "io.tagbahn.server.security..";
    private static final String SERVICE = "io.tagbahn.server.service..";
    private static final String EDGE = "io.tagbahn.server.edge..";
    private static final String THRIFT_EDGE = "io.tagbahn.server.edge.thrift..";
    private static final String PEER_EDGE = "io.tagbahn.server.edge.peer..";
    private static final String NODE = "io.tagbahn.server.node..";
    private static final String CLIENT = "io.tagbahn.client..";
    private static final String RESILIENCE = "io.tagbahn.client.resilience..";
    private static final String CALLS = "io.tagbahn.client.calls..";
    private static final String BENCH = "io.tagbahn.bench..";
    private static final String CLI = "io.tagbahn.cli..";

    @ArchTest
    static final ArchRule modelDependsOnTheJdkOnly = classes()
            .that()
            .resideInAPackage(MODEL)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(MODEL, "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule semanticsDependsOnTheModelOnly = noClasses()
            .that()
            .resideInAPackage(SEMANTICS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(THRIFT, WIRE, RPC, SERVER, CLIENT, BENCH, CLI);

    // The benchmark measures Netty and Jena by themselves, beside what is made of them.
    @ArchTest
    static final ArchRule jenaStaysInSemantics = noClasses()
            .that()
            .resideOutsideOfPackages(SEMANTICS, BENCH)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.jena..");

    @ArchTest
    static final ArchRule nettyStaysInRpcAndGossip = noClasses()
            .that()
            .resideOutsideOfPackages(RPC, GOSSIP, BENCH)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule generatedTypesStayAtTheWire = noClasses()
            .that()
            .resideOutsideOfPackages(THRIFT, WIRE, THRIFT_EDGE, PEER_EDGE, BENCH)
            .and()
            .haveNameNotMatching(CLIENT_WIRE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(THRIFT);

    @ArchTest
    static final ArchRule thriftLibraryStaysAtTheWire = noClasses()
            .that()
            .resideOutsideOfPackages(THRIFT, WIRE, RPC, EDGE, BENCH)
            .and()
            .haveNameNotMatching(CLIENT_WIRE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.thrift..");

    @ArchTest
    static final ArchRule wireAndRpcKnowNeitherSide = noClasses()
            .that()
            .resideInAnyPackage(THRIFT, WIRE, RPC)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVER, CLIENT, BENCH, CLI);

    @ArchTest
    static final ArchRule clientDoesNotKnowTheServer = noClasses()
            .that()
            .resideInAPackage(CLIENT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVER, BENCH, CLI);

    @ArchTest
    static final ArchRule resilienceDependsOnTheJdkOnly = classes()
            .that()
            .resideInAPackage(RESILIENCE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(RESILIENCE, "java..", "org.jspecify..");

    // Calls to services are built on the client as anybody's code is.
    @ArchTest
    static final ArchRule clientDoesNotKnowTheCallsBuiltOnIt = noClasses()
            .that()
            .resideInAPackage(CLIENT)
            .and()
            .resideOutsideOfPackage(CALLS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CALLS);

    @ArchTest
    static final ArchRule serverDoesNotKnowTheClient = noClasses()
            .that()
            .resideInAPackage(SERVER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CLIENT, BENCH, CLI);

    @ArchTest
    static final ArchRule nothingDependsOnTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage(CLI)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CLI);

    @ArchTest
    static final ArchRule coresKnowNothingAboveThem = noClasses()
            .that()
            .resideInAnyPackage(STORE, RING, SWIM, REPLICATION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CLUSTER, GOSSIP, SERVICE, EDGE, NODE, THRIFT, WIRE, RPC);

    @ArchTest
    static final ArchRule storeDoesNotKnowTheOtherCores = noClasses()
            .that()
            .resideInAPackage(STORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(RING, SWIM, REPLICATION);

    @ArchTest
    static final ArchRule ringDoesNotKnowTheOtherCores = noClasses()
            .that()
            .resideInAPackage(RING)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STORE, SWIM, REPLICATION);

    @ArchTest
    static final ArchRule swimDoesNotKnowTheOtherCores = noClasses()
            .that()
            .resideInAPackage(SWIM)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STORE, RING, REPLICATION);

    @ArchTest
    static final ArchRule replicationDoesNotKnowMembership = noClasses()
            .that()
            .resideInAPackage(REPLICATION)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SWIM);

    @ArchTest
    static final ArchRule admissionKnowsNoOtherPartOfTheServer = noClasses()
            .that()
            .resideInAPackage(ADMISSION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    STORE, RING, SWIM, REPLICATION, CLUSTER, GOSSIP, SERVICE, EDGE, NODE, THRIFT, WIRE, RPC);

    @ArchTest
    static final ArchRule clusterKnowsNothingAboveIt = noClasses()
            .that()
            .resideInAPackage(CLUSTER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(GOSSIP, SERVICE, EDGE, NODE);

    @ArchTest
    static final ArchRule gossipKnowsMembersOnly = noClasses()
            .that()
            .resideInAPackage(GOSSIP)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(STORE, RING, REPLICATION, SERVICE, EDGE, NODE, THRIFT, WIRE, RPC);

    // Keys belong to whoever holds them: what they protect is not their business.
    @ArchTest
    static final ArchRule securityKnowsTheTransportOnly = noClasses()
            .that()
            .resideInAPackage(SECURITY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    STORE, RING, SWIM, REPLICATION, CLUSTER, GOSSIP, SERVICE, EDGE, NODE, THRIFT, WIRE, "io.netty..");

    @ArchTest
    static final ArchRule serviceKnowsNothingAboveIt = noClasses()
            .that()
            .resideInAPackage(SERVICE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(EDGE, NODE);

    // A peer is part of the service's answers: it holds the forms that edges have made of it.
    @ArchTest
    static final ArchRule edgesCallTheServiceOnly = noClasses()
            .that()
            .resideInAPackage(EDGE)
            .and()
            .resideOutsideOfPackage(PEER_EDGE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(STORE, RING, SWIM, REPLICATION, CLUSTER, NODE)
                    .and(not(type(Peer.class)))
                    .as("lie behind the service"));

    // A call from another node reaches what this one holds, and has no way to a third.
    @ArchTest
    static final ArchRule callsOfNodesAreNotForwarded = noClasses()
            .that()
            .resideInAPackage(PEER_EDGE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVICE, RING, SWIM, REPLICATION, NODE);

    @ArchTest
    static final ArchRule edgesDoNotKnowEachOther =
            slices().matching("io.tagbahn.server.edge.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.tagbahn.(**)").should().beFreeOfCycles();
}
