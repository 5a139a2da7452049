// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** Names are nouns of the field; every package is null-marked; libraries log and do not print. */
@AnalyzeClasses(packages = "io.tagbahn", importOptions = ImportOption.DoNotIncludeTests.class)
final class NamesTest {

    private static final String GENERATED = "io.tagbahn.thrift..";

    @ArchTest
    static final ArchRule namesSayWhatThingsAre = noClasses()
            .that()
            .resideOutsideOfPackage(GENERATED)
            .should()
            .haveNameMatching(".*\\b(Abstract\\w+|\\w*(Impl|Manager|Utils?|Helper|Processor))");

    @ArchTest
    static final ArchRule librariesDoNotPrint = noClasses()
            .that()
            .resideOutsideOfPackages("io.tagbahn.cli..", "io.tagbahn.bench..")
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static void everyPackageIsNullMarked(JavaClasses classes) {
        List<String> unmarked = classes.getPackage("io.tagbahn").getSubpackagesInTree().stream()
                .filter(each -> !each.getClasses().isEmpty() && !each.getName().startsWith("io.tagbahn.thrift"))
                .filter(each -> !each.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .toList();
        assertThat(unmarked).isEmpty();
    }
}
