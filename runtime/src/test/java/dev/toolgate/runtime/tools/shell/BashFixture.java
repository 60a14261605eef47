package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bash tool with a real shell and its own workspace. */
public final class BashFixture implements AutoCloseable {
    static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

    final Path workspace;
    final Path spool;
    final PlainSandbox sandbox = new PlainSandbox();
    final BashTool tool;

    public BashFixture(Path folder) throws IOException {
        workspace = Files.createDirectories(folder.resolve("workspace")).toRealPath();
        spool = folder.resolve("spool");
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        Workspace files =
                Workspace.open(workspace, null, DangerousPaths.standard(), PendingWrites.in(folder.resolve("state")));
        tool = new BashTool(
                Workspaces.single(new OpenWorkspace(files, sandbox, SpoolFolder.open(spool))),
                () -> Map.of("PATH", "/usr/bin:/bin", "GREETING", "hi"),
                Platform.current(),
                MAX_TIMEOUT);
    }

    public Output run(String command) throws ToolFailure, InterruptedException {
        return tool.call(command(command, null), within(Bounds.none()));
    }

    static BashArguments command(String command, @Nullable Integer timeout) {
        return new BashArguments(command, null, timeout, null);
    }

    static ToolContext within(Bounds bounds) {
        return new ToolContext(call(), bounds);
    }

    static ToolContext withListener(CallListener listener) {
        return new ToolContext(call().followedBy(listener, new Cancellation()), Bounds.none());
    }

    /** The structured output. */
    static ShellResult result(Output output) {
        return (ShellResult) Objects.requireNonNull(output.structured());
    }

    private static Call call() {
        return Call.of(Caller.local(), "bash", Json.MAPPER.createObjectNode());
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
