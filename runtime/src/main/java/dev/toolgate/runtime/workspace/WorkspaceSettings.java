package dev.toolgate.runtime.workspace;

import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a workspace is, and how its commands are confined.
 *
 * @param folder the folder tools may touch
 * @param centralRoot a second such folder, if there is one
 * @param stateFolder a private folder for notes and spooled output; not in the workspace
 * @param sandbox how commands are confined, and which files no tool touches
 * @param addresses what commands may reach, of the domains that their call allows
 */
public record WorkspaceSettings(
        Path folder,
        @Nullable Path centralRoot,
        Path stateFolder,
        SandboxMode sandboxMode,
        SandboxSettings sandbox,
        AddressPolicy addresses) {}
