package dev.toolgate.runtime;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** The complete runtime with its own workspace, as in an embedding program. */
public final class OpenRuntime implements AutoCloseable {
    public final Path workspace;
    public final LocalRuntime runtime;

    public OpenRuntime(Path folder) throws IOException {
        workspace = Files.createDirectories(folder.resolve("workspace")).toRealPath();
        open(folder, workspace);
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        runtime = LocalRuntime.open(RuntimeSettings.of(workspace, folder.resolve("state")));
    }

    public ToolResult call(String tool, Map<String, ?> arguments) {
        return runtime.router().execute(ToolRequest.of(tool, arguments));
    }

    public ToolResult call(String tool, Map<String, ?> arguments, Bounds bounds) {
        return runtime.router().execute(ToolRequest.of(tool, arguments).within(bounds));
    }

    // Temporary folders are private, but the account of commands must be able to enter the workspace.
    private static void open(Path... folders) throws IOException {
        for (Path folder : folders) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Override
    public void close() {
        runtime.close();
    }
}
