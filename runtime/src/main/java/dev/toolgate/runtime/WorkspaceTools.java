package dev.toolgate.runtime;

import dev.toolgate.core.decision.Places;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.runtime.command.ConfinedCommands;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.LazySandbox;
import dev.toolgate.runtime.sandbox.command.Sandboxes;
import dev.toolgate.runtime.sandbox.command.bubblewrap.BubblewrapSandbox;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.tools.data.DataAnalyzeTool;
import dev.toolgate.runtime.tools.data.DataVisualizeTool;
import dev.toolgate.runtime.tools.data.Python;
import dev.toolgate.runtime.tools.data.ScriptRunner;
import dev.toolgate.runtime.tools.file.FileTools;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.runtime.tools.network.AddressPolicy;
import dev.toolgate.runtime.tools.network.AllowlistProxy;
import dev.toolgate.runtime.tools.network.HttpRequestTool;
import dev.toolgate.runtime.tools.network.ProxyLimits;
import dev.toolgate.runtime.tools.network.Resolver;
import dev.toolgate.runtime.tools.shell.BashTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The built-in tools of one workspace, and what confines the commands they run. */
public final class WorkspaceTools implements AutoCloseable {
    private final List<Tool<?>> tools;
    private final CommandSandbox sandbox;
    private final WriteTracker writes;
    private final Places places;

    private WorkspaceTools(List<Tool<?>> tools, CommandSandbox sandbox, WriteTracker writes, Places places) {
        this.places = places;
        this.tools = List.copyOf(tools);
        this.sandbox = sandbox;
        this.writes = writes;
    }

    /**
     * Opens a workspace and makes the built-in tools ready for it.
     *
     * @throws IOException if the workspace or the state folder cannot be used, in one sentence
     */
    public static WorkspaceTools open(RuntimeSettings settings) throws IOException {
        Platform platform = Platform.current();
        Workspace workspace = Workspace.open(
                settings.workspace(),
                settings.centralRoot(),
                settings.sandbox().dangerous(),
                PendingWrites.in(settings.stateFolder()));
        AddressPolicy addresses = AddressPolicy.publicAnd(settings.internalPlaces());
        CommandSandbox sandbox = new LazySandbox(() -> sandbox(settings, platform, addresses));
        WriteTracker writes = new WriteTracker();
        List<Tool<?>> tools = new ArrayList<>(FileTools.all(workspace, writes));
        SpoolFolder spool = SpoolFolder.open(settings.stateFolder().resolve("spool"));
        tools.add(new BashTool(
                sandbox,
                workspace.projectRoot(),
                settings.environment()::variables,
                spool,
                platform,
                settings.longestCommand(),
                () -> complaint(workspace.projectRoot())));
        ScriptRunner scripts = new ScriptRunner(
                new ConfinedCommands(sandbox, spool, platform),
                workspace,
                Python.OF_THE_SYSTEM,
                settings.environment()::variables);
        tools.add(new DataAnalyzeTool(scripts));
        tools.add(new DataVisualizeTool(scripts));
        tools.add(new HttpRequestTool(addresses, Resolver.SYSTEM));
        return new WorkspaceTools(tools, sandbox, writes, (_, path) -> workspace.places(path));
    }

    private static CommandSandbox sandbox(RuntimeSettings settings, Platform platform, AddressPolicy addresses) {
        return Sandboxes.choose(
                platform,
                settings.sandboxMode(),
                () -> BubblewrapSandbox.open(
                        WorkspaceAccount::of,
                        settings.sandbox(),
                        domains -> proxy(domains, addresses, account(settings.workspace()))),
                WorkspaceTools::account);
    }

    private static EgressProxy proxy(List<String> domains, AddressPolicy addresses, Account account) {
        try {
            return AllowlistProxy.start(
                    Path.of(System.getProperty("java.io.tmpdir")),
                    account,
                    domains,
                    addresses,
                    Resolver.SYSTEM,
                    ProxyLimits.usual());
        } catch (IOException failed) {
            throw new UncheckedIOException("The proxy for the allowed domains cannot be started", failed);
        }
    }

    private static Account account(Path workspace) {
        try {
            return WorkspaceAccount.of(workspace);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed.getMessage(), failed);
        }
    }

    private static Optional<String> complaint(Path workspace) {
        try {
            return WorkspaceAccount.complaint(workspace, WorkspaceAccount.of(workspace));
        } catch (IOException unknown) {
            return Optional.of("The workspace " + workspace + " cannot be looked at: " + unknown.getMessage());
        }
    }

    /** Every built-in tool. */
    public List<Tool<?>> tools() {
        return tools;
    }

    /** What confines commands here; finding out may take a moment the first time. */
    public CommandSandbox sandbox() {
        return sandbox;
    }

    /** Where the paths that callers write lead. */
    public Places places() {
        return places;
    }

    /** What the file tools have changed, for a patch preview. */
    public WriteTracker writes() {
        return writes;
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
