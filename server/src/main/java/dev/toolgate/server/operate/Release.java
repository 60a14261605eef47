package dev.toolgate.server.operate;

/** Which Toolgate this is. */
public final class Release {
    private Release() {}

    /** The version, for example {@code 0.1.0}. */
    public static String version() {
        String version = Release.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
