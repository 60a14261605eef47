package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command sees of its workspace.
 *
 * @param allowedPaths all it sees, as a policy lists them; {@code null} means everything
 * @param blockedPaths what it does not see, as a policy lists them
 * @param input the one file it sees, to be read only; {@code null} means that the lists decide
 * @param outputs beside an input, places in the workspace that it may write to, and the files that really take it
 * @param maxFileBytes the largest file it may write; {@code null} means as much as any command
 */
public record WorkspaceView(
        @Nullable List<String> allowedPaths,
        List<String> blockedPaths,
        @Nullable Path input,
        Map<Path, Path> outputs,
        @Nullable Long maxFileBytes) {

    /** The whole workspace, as any command sees it. */
    public static final WorkspaceView WHOLE = new WorkspaceView(null, List.of(), null, Map.of(), null);

    public WorkspaceView {
        allowedPaths = allowedPaths == null ? null : List.copyOf(allowedPaths);
        blockedPaths = List.copyOf(blockedPaths);
        outputs = Map.copyOf(outputs);
    }

    /** What a call's limits leave of the workspace. */
    public static WorkspaceView within(Bounds bounds) {
        return new WorkspaceView(
                bounds.allowedPaths(), bounds.blockedPaths(), null, Map.of(), bounds.maxFileSizeBytes());
    }

    /** One file to read, and places to write to; nothing else. */
    public static WorkspaceView of(Path input, Map<Path, Path> outputs, @Nullable Long maxFileBytes) {
        return new WorkspaceView(null, List.of(), input, outputs, maxFileBytes);
    }

    /** Whether it shows all there is, to be read and written. */
    public boolean isOpen() {
        return allowedPaths == null && blockedPaths.isEmpty() && input == null;
    }

    /** Refuses everything but the whole workspace, where there is nothing to hide a part of it with. */
    public void requireWhole() throws ToolFailure {
        if (!isOpen() || maxFileBytes != null) {
            throw new ToolFailure(
                    ErrorCode.CAPABILITY_DENIED,
                    "Nothing on this machine can hold a command to a part of its workspace or to a size of files,"
                            + " so it is refused where these are limited; install bubblewrap on Linux, use the file"
                            + " tools, or lift the limit for commands");
        }
    }
}
