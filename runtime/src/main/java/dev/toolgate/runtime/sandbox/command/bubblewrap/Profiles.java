package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Creates the sandbox profile of a workspace, which depends on the account that runs its commands. */
final class Profiles implements AutoCloseable {
    private final AccountChoice accounts;
    private final SandboxSettings settings;
    private final SystemView system;
    private final SupportFiles files;

    Profiles(AccountChoice accounts, SandboxSettings settings) throws ToolFailure {
        this.accounts = accounts;
        this.settings = settings;
        this.system = SystemView.look(settings.readOnlyPaths());
        this.files = SupportFiles.create();
    }

    BubblewrapProfile of(Path workspace) throws ToolFailure {
        try {
            Account account = accounts.forWorkspace(workspace);
            ParentOverlay overlay = ParentOverlay.of(workspace, account, files.aside());
            return new BubblewrapProfile(Launch.find(account), overlay, files, system, settings.limits());
        } catch (IOException unknown) {
            throw BindSource.refusal("No command can run in " + workspace + " because its owner cannot be"
                    + " determined ("
                    + unknown.getMessage() + ")");
        }
    }

    /** The files of a workspace that must be hidden or protected. */
    WorkspaceShape look(Path workspace) throws ToolFailure {
        return WorkspaceShape.of(workspace, settings.dangerous());
    }

    /** System folders that every command sees. */
    List<Path> visibleFolders() {
        return Stream.concat(settings.readOnlyPaths().stream(), SystemView.PROGRAMS.stream())
                .toList();
    }

    @Override
    public void close() {
        files.close();
    }
}
