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
 * Settings of an embedded runtime.
 *
 * @param workspace the folder tools may access
 * @param centralRoot a second such folder, if there is one
 * @param stateFolder a private folder outside the workspace for pending-write records, spooled output and artifacts
 * @param sandbox how commands are confined, and the files no tool may access
 * @param environment the environment variables of commands and scripts
 * @param maxCommandTimeout the maximum time-out a caller may request
 * @param internalAddresses addresses beyond the public internet that may be reached, for example {@code 10.1.0.0/16} or
 *     {@code wiki.internal:8080}
 */
public record RuntimeSettings(
        Path workspace,
        @Nullable Path centralRoot,
        Path stateFolder,
        SandboxMode sandboxMode,
        SandboxSettings sandbox,
        CommandEnvironment environment,
        Duration maxCommandTimeout,
        List<String> internalAddresses) {
    private static final Duration DEFAULT_MAX_COMMAND_TIMEOUT = Duration.ofMinutes(10);

    public RuntimeSettings {
        internalAddresses = List.copyOf(internalAddresses);
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
                DEFAULT_MAX_COMMAND_TIMEOUT,
                List.of());
    }

    /** The settings of the workspace, whose commands may reach these addresses. */
    public WorkspaceSettings workspaceSettings(AddressPolicy addresses) {
        return new WorkspaceSettings(workspace, centralRoot, stateFolder, sandboxMode, sandbox, addresses);
    }

    public RuntimeSettings with(SandboxMode newMode) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                newMode,
                sandbox,
                environment,
                maxCommandTimeout,
                internalAddresses);
    }

    public RuntimeSettings with(SandboxSettings newSandbox) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                newSandbox,
                environment,
                maxCommandTimeout,
                internalAddresses);
    }

    public RuntimeSettings with(CommandEnvironment newEnvironment) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                newEnvironment,
                maxCommandTimeout,
                internalAddresses);
    }

    public RuntimeSettings withCentralRoot(Path newCentralRoot) {
        return new RuntimeSettings(
                workspace,
                newCentralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                environment,
                maxCommandTimeout,
                internalAddresses);
    }

    public RuntimeSettings withInternalAddresses(List<String> newInternalAddresses) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                environment,
                maxCommandTimeout,
                newInternalAddresses);
    }

    public RuntimeSettings withMaxCommandTimeout(Duration newMaxCommandTimeout) {
        return new RuntimeSettings(
                workspace,
                centralRoot,
                stateFolder,
                sandboxMode,
                sandbox,
                environment,
                newMaxCommandTimeout,
                internalAddresses);
    }
}
