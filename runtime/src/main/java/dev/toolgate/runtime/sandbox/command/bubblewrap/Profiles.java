package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Makes the profile for a workspace, which depends on the account that commands run as there. */
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
            OpenedWay way = OpenedWay.to(workspace, account, files.aside());
            return new BubblewrapProfile(Launch.find(account), way, files, system, settings.limits());
        } catch (IOException unknown) {
            throw BindSource.refusal("No command can run in " + workspace + " because it is not known whose it is ("
                    + unknown.getMessage() + ")");
        }
    }

    /** What has to be hidden and protected in a workspace. */
    WorkspaceShape look(Path workspace) throws ToolFailure {
        return WorkspaceShape.of(workspace, settings.dangerous());
    }

    /** Folders of the system that every command sees. */
    List<Path> visibleFolders() {
        return Stream.concat(settings.readOnlyPaths().stream(), SystemView.PROGRAMS.stream())
                .toList();
    }

    @Override
    public void close() {
        files.close();
    }
}
