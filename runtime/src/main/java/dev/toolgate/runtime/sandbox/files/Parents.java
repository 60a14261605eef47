package dev.toolgate.runtime.sandbox.files;

/** How to handle missing parent folders of a new file. */
public enum Parents {
    CREATE,
    REQUIRE
}
