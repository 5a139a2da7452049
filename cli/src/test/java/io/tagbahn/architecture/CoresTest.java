// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Cores do no I/O, start no threads, and are given time and chance. */
@AnalyzeClasses(packages = "io.tagbahn", importOptions = ImportOption.DoNotIncludeTests.class)
final class CoresTest {

    private static final String STORE = "io.tagbahn.server.store..";
    private static final String RING = "io.tagbahn.server.ring..";
    private static final String SWIM = "io.tagbahn.server.swim..";
    private static final String REPLICATION = "io.tagbahn.server.replication..";
    private static final String RESILIENCE = "io.tagbahn.client.resilience..";
    private static final String ADMISSION = "io.tagbahn.server.admission..";

    private static final Map<String, Set<String>> AMBIENT = Map.of(
            System.class.getName(), Set.of("nanoTime", "currentTimeMillis", "getenv", "getProperty"),
            Instant.class.getName(), Set.of("now"),
            InstantSource.class.getName(), Set.of("system"),
            Clock.class.getName(), Set.of("systemUTC", "systemDefaultZone", "system"),
            Math.class.getName(), Set.of("random"),
            UUID.class.getName(), Set.of("randomUUID"),
            ThreadLocalRandom.class.getName(), Set.of("current"),
            Random.class.getName(), Set.of("<init>"),
            SplittableRandom.class.getName(), Set.of("<init>"));

    @ArchTest
    static final ArchRule coresDoNoInputOrOutput = noClasses()
            .that()
            .resideInAnyPackage(STORE, RING, SWIM, REPLICATION, RESILIENCE, ADMISSION)
            .should()
            .dependOnClassesThat(new DescribedPredicate<>("do I/O") {
                @Override
                public boolean test(JavaClass used) {
                    // Records and enums mention Serializable and ObjectInputStream by themselves.
                    // An address is a value as long as nobody looks up its name.
                    return (Set.of("java.net", "java.nio.channels", "java.nio.file")
                                            .contains(used.getPackageName())
                                    && !used.getSimpleName().equals("InetAddress"))
                            || (used.getPackageName().equals("java.io")
                                    && !used.getSimpleName().equals("Serializable"));
                }
            });

    @ArchTest
    static final ArchRule coresStartNoThreads = noClasses()
            .that()
            .resideInAnyPackage(STORE, RING, SWIM, REPLICATION, RESILIENCE, ADMISSION)
            .should()
            .dependOnClassesThat(new DescribedPredicate<>("run threads or wait for them") {
                @Override
                public boolean test(JavaClass used) {
                    // Readers may look into a concurrent map while its one owner writes.
                    return used.getName().equals("java.lang.Thread")
                            || (used.getPackageName().startsWith("java.util.concurrent")
                                    && !used.getSimpleName().startsWith("Concurrent"));
                }
            });

    @ArchTest
    static final ArchRule coresAreGivenTimeAndChance = noClasses()
            .that()
            .resideInAnyPackage(
                    STORE,
                    RING,
                    SWIM,
                    REPLICATION,
                    RESILIENCE,
                    ADMISSION,
                    "io.tagbahn.model..",
                    "io.tagbahn.semantics..",
                    "io.tagbahn.wire..")
            .should()
            .accessTargetWhere(ambient());

    @ArchTest
    static final ArchRule shellsAreGivenTimeAndChance = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.tagbahn.server.cluster..", "io.tagbahn.server.service..", "io.tagbahn.server.edge..")
            .should()
            .accessTargetWhere(ambient());

    // But for its composition root, and what reads where the process runs.
    @ArchTest
    static final ArchRule callsAreGivenTimeAndChance = noClasses()
            .that()
            .resideInAPackage("io.tagbahn.client.calls..")
            .and()
            .haveNameNotMatching("io\\.tagbahn\\.client\\.calls\\.(Caller|Here)")
            .should()
            .accessTargetWhere(ambient());

    private static DescribedPredicate<JavaAccess<?>> ambient() {
        return new DescribedPredicate<>("time, chance or settings come from the JVM") {
            @Override
            public boolean test(JavaAccess<?> access) {
                return AMBIENT.getOrDefault(access.getTargetOwner().getName(), Set.of())
                        .contains(access.getTarget().getName());
            }
        };
    }
}
