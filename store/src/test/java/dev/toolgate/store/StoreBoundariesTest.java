package dev.toolgate.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class StoreBoundariesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar")) // packaged test classes
            .importPackages("dev.toolgate.store");

    @Test
    void the_store_depends_only_on_the_core() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.toolgate.runtime..", "dev.toolgate.server..", "dev.toolgate.chat..")
                .check(CLASSES);
    }
}
