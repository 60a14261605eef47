package dev.toolgate.docs;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** All classes of the product without its tests, imported once for all architecture tests. */
final class ProductClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(place -> !place.contains("-tests.jar")) // the test classes, once packaged
            .importPackages("dev.toolgate");

    private ProductClasses() {}
}
