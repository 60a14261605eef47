package dev.toolgate.cli;

import dev.toolgate.server.operate.Release;
import picocli.CommandLine.IVersionProvider;

/** The version of this program and of the Java it runs on. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "toolgate " + Release.version()
                    + ", Java " + Runtime.version().feature()
                    + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
