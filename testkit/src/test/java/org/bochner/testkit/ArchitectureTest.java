package org.bochner.testkit;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.Serializable;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The data path, as the core's packages keep it. */
class ArchitectureTest {
    /** In the order of the data path: a package uses only those before it. */
    private static final List<String> PATH = List.of(
            "base", "numeric", "random", "data", "scale", "kernel", "design", "map", "stats", "learn", "model", "tune");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.bochner");

    private static final JavaClasses CORE = ALL.that(
            resideInAnyPackage(PATH.stream().map(ArchitectureTest::andBelow).toArray(String[]::new)));

    private static String packageOf(String name) {
        return "org.bochner." + name;
    }

    private static String andBelow(String name) {
        return packageOf(name) + "..";
    }

    @Test
    void thePathIsNotEmpty() {
        assertTrue(CORE.size() > 30, "only " + CORE.size() + " classes found");
    }

    @Test
    void packagesUseOnlyThoseBeforeThem() {
        for (int i = 0; i < PATH.size(); i++) {
            String[] later = PATH.subList(i + 1, PATH.size()).stream()
                    .map(ArchitectureTest::andBelow)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(andBelow(PATH.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(later)
                    .because("the data path is " + String.join(" -> ", PATH))
                    .allowEmptyShould(true)
                    .check(CORE);
        }
    }

    @Test
    void everyPackageLiesOnThePath() {
        Set<String> elsewhere = Set.of("testkit", "cli", "benchmarks");
        for (JavaClass type : ALL) {
            String[] parts = type.getPackageName().split("\\.", -1);
            assertTrue(
                    parts.length >= 3 && (PATH.contains(parts[2]) || elsewhere.contains(parts[2])),
                    type.getName() + " lies in no package of the path");
        }
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("org.bochner.(*)..").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void theLibraryPrintsNothing() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
    }

    @Test
    void randomnessComesFromASeed() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class, SplittableRandom.class, ThreadLocalRandom.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(CORE);
    }

    @Test
    void drawnNumbersUseNoFunctionThatDiffersBetweenMachines() {
        for (String function : new String[] {"log", "log1p", "exp", "expm1", "pow", "sin", "cos", "tan", "atan"}) {
            Class<?>[] parameters = function.equals("pow")
                    ? new Class<?>[] {double.class, double.class}
                    : new Class<?>[] {double.class};
            noClasses()
                    .that()
                    .resideInAPackage(andBelow("random"))
                    .should()
                    .callMethod(Math.class, function, parameters)
                    .because("StrictMath gives the same bits everywhere")
                    .check(CORE);
        }
    }

    @Test
    void nothingIsSavedByJavaSerialization() {
        noClasses()
                .that()
                .areNotAssignableTo(Throwable.class)
                .and()
                .areNotAssignableTo(Enum.class)
                .should()
                .beAssignableTo(Serializable.class)
                .check(CORE);
    }

    @Test
    void publicClassesAreNotOpenToExtensionByAccident() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .and()
                .areNotAssignableTo(Throwable.class)
                .and()
                .areNotAssignableTo(Enum.class)
                .should(beFinalOrAbstract())
                .check(CORE);
    }

    /** A package org.bochner.x is exported, except stats; a package below it is not. */
    @Test
    void contractsAndExamplesUseExportedPackagesOnly() {
        JavaClasses examples =
                new ClassFileImporter().importPackages("org.bochner.examples").that(not(nameEndingWith("Test")));
        for (JavaClasses users : List.of(ALL.that(resideInAnyPackage("org.bochner.testkit..")), examples)) {
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.bochner.*.*..", "org.bochner.stats..")
                    .check(users);
        }
    }

    private static ArchCondition<JavaClass> beFinalOrAbstract() {
        return new ArchCondition<>("be final or abstract") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean closed = type.getModifiers().contains(JavaModifier.FINAL)
                        || type.getModifiers().contains(JavaModifier.ABSTRACT);
                events.add(new SimpleConditionEvent(type, closed, type.getName() + " is neither"));
            }
        };
    }
}
