package dev.toolgate.runtime.sandbox.command.nonlinux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts a program; replaced in tests to check the command lines of other platforms. */
@FunctionalInterface
interface CommandLauncher {
    Process start(List<String> line, Map<String, String> environment, Path cwd) throws IOException;

    /** The implementation with {@link ProcessBuilder}. */
    static Process withProcessBuilder(List<String> line, Map<String, String> environment, Path cwd) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line).directory(cwd.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }
}
