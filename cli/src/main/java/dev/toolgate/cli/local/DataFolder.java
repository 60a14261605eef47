package dev.toolgate.cli.local;

import java.nio.file.Path;

/** The data folder of a server on this machine. */
public final class DataFolder {
    private DataFolder() {}

    /** The folder in {@code TOOLGATE_HOME}, or else the default. */
    public static Path path() {
        String set = System.getenv("TOOLGATE_HOME");
        return set == null || set.isBlank()
                ? Path.of(System.getProperty("user.home"), ".toolgate")
                : Path.of(set).toAbsolutePath();
    }
}
