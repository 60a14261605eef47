package dev.toolgate.runtime.sandbox.files;

/** What to do about folders that are missing on the way to a new file. */
public enum Parents {
    CREATE,
    REQUIRE
}
