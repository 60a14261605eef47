package dev.toolgate.runtime;

import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an embedding program decides.
 *
 * @param workspace the folder tools may touch
 * @param centralRoot a second such folder, if there is one
 * @param stateFolder a private folder for notes, spooled output and artifacts; not in the workspace
 * @param longestCommand the longest time-out that a caller may ask for
 * @param internalPlaces addresses beyond the public internet that may be reached, for example {@code
 *     10.1.0.0/16} or {@code wiki.internal:8080}
 */
public record RuntimeSettings(
        Path workspace,
        @Nullable Path centralRoot,
        Path stateFolder,
        SandboxMode sandboxMode,
        SandboxSettings sandbox,
        Duration longestCommand,
        List<String> internalPlaces) {
    private static final Duration USUAL_LONGEST_COMMAND = Duration.ofSeconds(600);

    public RuntimeSettings {
        internalPlaces = List.copyOf(internalPlaces);
    }

    /** Safe defaults for one workspace. */
    public static RuntimeSettings of(Path workspace, Path stateFolder) {
        return new RuntimeSettings(
                workspace, null, stateFolder, SandboxMode.CONFINED, SandboxSettings.standard(), USUAL_LONGEST_COMMAND, List.of());
    }

    public RuntimeSettings with(SandboxMode newMode) {
        return new RuntimeSettings(workspace, centralRoot, stateFolder, newMode, sandbox, longestCommand, internalPlaces);
    }

    public RuntimeSettings with(SandboxSettings newSandbox) {
        return new RuntimeSettings(workspace, centralRoot, stateFolder, sandboxMode, newSandbox, longestCommand, internalPlaces);
    }

    public RuntimeSettings withCentralRoot(Path newCentralRoot) {
        return new RuntimeSettings(workspace, newCentralRoot, stateFolder, sandboxMode, sandbox, longestCommand, internalPlaces);
    }

    public RuntimeSettings reaching(List<String> newInternalPlaces) {
        return new RuntimeSettings(workspace, centralRoot, stateFolder, sandboxMode, sandbox, longestCommand, newInternalPlaces);
    }

    public RuntimeSettings withLongestCommand(Duration newLongestCommand) {
        return new RuntimeSettings(
                workspace, centralRoot, stateFolder, sandboxMode, sandbox, newLongestCommand, internalPlaces);
    }
}
