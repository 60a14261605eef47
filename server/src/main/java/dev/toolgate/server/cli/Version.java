package dev.toolgate.server.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this program and of the Java it runs on. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "toolgate " + (version == null ? "(not packaged)" : version)
                    + ", Java " + Runtime.version().feature()
                    + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
