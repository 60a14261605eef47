package dev.toolgate.runtime;

import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.sandbox.command.CommandEnvironment;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.workspace.WorkspaceSettings;
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
 * @param sandbox how commands are confined, and which files no tool touches
 * @param environment the variables commands and scripts get
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
        CommandEnvironment environment,
        Duration longestCommand,
        List<String> internalPlaces) {
    private static final Duration DEFAULT_LONGEST_COMMAND = Duration.ofMinutes(10);

    public RuntimeSettings {
        internalPlaces = List.copyOf(internalPlaces);
    }

    /** Safe defaults for one workspace. */
    public static RuntimeSettings of(Path workspace, Path stateFolder) {
        return new RuntimeSettings(
                workspace,
                null,
                stateFolder,
                SandboxMode.CONFINED,
                SandboxSettings.standard(),
                CommandEnvironment.standard(),
                DEFAULT_LONGEST_COMMAND,
                List.of());
    }

    /** The part that is about the workspace, whose commands may reach these addresses. */
    public WorkspaceSettings workspaceReaching(AddressPolicy addresses) {
        return new WorkspaceSettings(workspace, centralRoot, stateFolder, sandboxMode, sandbox, addresses);
    }

    public RuntimeSettings with(SandboxMode newMode) {
        return new RuntimeSettings(
                workspace, centralRoot, stateFolder, newMode, sandbox, environment, longestCommand, internalPlaces);
    }

    public RuntimeSettings with(SandboxSettings newSandbox) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                newSandbox,
                environment,
                longestCommand,
                internalPlaces);
    }

    public RuntimeSettings with(CommandEnvironment newEnvironment) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                newEnvironment,
                longestCommand,
                internalPlaces);
    }

    public RuntimeSettings withCentralRoot(Path newCentralRoot) {
        return new RuntimeSettings(
                workspace,
                newCentralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                environment,
                longestCommand,
                internalPlaces);
    }

    public RuntimeSettings reaching(List<String> newInternalPlaces) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                environment,
                longestCommand,
                newInternalPlaces);
    }

    public RuntimeSettings withLongestCommand(Duration newLongestCommand) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                environment,
                newLongestCommand,
                internalPlaces);
    }
}
