package dev.toolgate.server.operate;

/** The release of Toolgate. */
public final class Release {
    private Release() {}

    /** The version, for example {@code 0.1.0}. */
    public static String version() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
