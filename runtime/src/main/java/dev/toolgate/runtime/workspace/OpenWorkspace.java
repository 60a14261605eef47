package dev.toolgate.runtime.workspace;

import dev.toolgate.runtime.command.ConfinedCommands;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.AllowlistProxy;
import dev.toolgate.runtime.network.ProxyLimits;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.Sandboxes;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.LazySandbox;
import dev.toolgate.runtime.sandbox.command.bubblewrap.BubblewrapSandbox;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An open workspace: its files and the sandbox for its commands. */
public final class OpenWorkspace implements AutoCloseable {
    private final Workspace files;
    private final CommandSandbox sandbox;
    private final ConfinedCommands commands;

    /**
     * @param sandbox closed with the workspace
     * @param spool buffers large output of commands until it is stored
     */
    public OpenWorkspace(Workspace files, CommandSandbox sandbox, SpoolFolder spool) {
        this.files = files;
        this.sandbox = sandbox;
        this.commands = new ConfinedCommands(sandbox, spool, files.platform());
    }

    /**
     * Opens a workspace. Its sandbox is selected on the first command.
     *
     * @throws IOException if the workspace or its state folder cannot be used
     */
    public static OpenWorkspace open(WorkspaceSettings settings) throws IOException {
        Workspace files = Workspace.open(
                settings.folder(),
                settings.centralRoot(),
                settings.sandbox().dangerous(),
                PendingWrites.in(settings.stateFolder()));
        SpoolFolder spool = SpoolFolder.open(settings.stateFolder().resolve("spool"));
        return new OpenWorkspace(files, new LazySandbox(() -> sandbox(settings)), spool);
    }

    private static CommandSandbox sandbox(WorkspaceSettings settings) {
        return Sandboxes.choose(
                Platform.current(),
                settings.sandboxMode(),
                () -> BubblewrapSandbox.open(
                        WorkspaceAccount::of,
                        settings.sandbox(),
                        domains -> proxy(domains, settings.addresses(), account(settings.folder()))),
                OpenWorkspace::account);
    }

    private static EgressProxy proxy(List<String> domains, AddressPolicy addresses, Account account) {
        try {
            return AllowlistProxy.start(
                    Path.of(System.getProperty("java.io.tmpdir")),
                    account,
                    domains,
                    addresses,
                    Resolver.SYSTEM,
                    ProxyLimits.defaults());
        } catch (IOException failed) {
            throw new UncheckedIOException("The proxy for the allowed domains cannot be started", failed);
        }
    }

    private static Account account(Path folder) {
        try {
            return WorkspaceAccount.of(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed.getMessage(), failed);
        }
    }

    /** The files of the workspace. */
    public Workspace files() {
        return files;
    }

    /** Runs commands in the workspace. */
    public ConfinedCommands commands() {
        return commands;
    }

    /** The sandbox for commands; the first use tests it, which takes a moment. */
    public CommandSandbox sandbox() {
        return sandbox;
    }

    /** Why commands cannot write to the workspace and what to do; empty if they can. */
    public Optional<String> writeProblem() {
        Path folder = files.projectRoot();
        try {
            return WorkspaceAccount.writeProblem(folder, WorkspaceAccount.of(folder));
        } catch (IOException unknown) {
            return Optional.of("The workspace " + folder + " cannot be read: " + unknown.getMessage());
        }
    }

    /** Ends all running commands and prepared sandboxes. */
    @Override
    public void close() {
        sandbox.close();
    }
}
