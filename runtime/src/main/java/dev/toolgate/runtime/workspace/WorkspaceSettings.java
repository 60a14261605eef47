package dev.toolgate.runtime.workspace;

import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folders of a workspace and the confinement of its commands.
 *
 * @param folder the folder tools may access
 * @param centralRoot a second such folder, if there is one
 * @param stateFolder a private folder outside the workspace for pending-write records and spooled output
 * @param sandbox how commands are confined, and the files no tool may access
 * @param addresses the addresses that commands may reach within the domains their call allows
 */
public record WorkspaceSettings(
        Path folder,
        @Nullable Path centralRoot,
        Path stateFolder,
        SandboxMode sandboxMode,
        SandboxSettings sandbox,
        AddressPolicy addresses) {}
