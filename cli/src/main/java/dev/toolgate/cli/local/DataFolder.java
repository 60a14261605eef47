package dev.toolgate.cli.local;

import java.nio.file.Path;

/** The folder of a server on this machine. */
public final class DataFolder {
    private DataFolder() {}

    /** The folder that is set in {@code TOOLGATE_HOME}, else the usual one. */
    public static Path path() {
        String set = System.getenv("TOOLGATE_HOME");
        return set == null || set.isBlank()
                ? Path.of(System.getProperty("user.home"), ".toolgate")
                : Path.of(set).toAbsolutePath();
    }
}
