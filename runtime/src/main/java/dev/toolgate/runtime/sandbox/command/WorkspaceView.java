package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a workspace that a command sees.
 *
 * @param allowedPaths the only visible paths, in policy syntax; {@code null} means all
 * @param blockedPaths the hidden paths, in policy syntax
 * @param input the only visible file, read-only; {@code null} means that the lists decide
 * @param outputs with an input: the paths it may write to, mapped to the files that receive the content
 * @param maxFileBytes maximum size of a file it writes; {@code null} means the limit of all commands
 */
public record WorkspaceView(
        @Nullable List<String> allowedPaths,
        List<String> blockedPaths,
        @Nullable Path input,
        Map<Path, Path> outputs,
        @Nullable Long maxFileBytes) {

    /** The whole workspace. */
    public static final WorkspaceView WHOLE = new WorkspaceView(null, List.of(), null, Map.of(), null);

    public WorkspaceView {
        allowedPaths = allowedPaths == null ? null : List.copyOf(allowedPaths);
        blockedPaths = List.copyOf(blockedPaths);
        outputs = Map.copyOf(outputs);
    }

    /** The view that the bounds of a call permit. */
    public static WorkspaceView within(Bounds bounds) {
        return new WorkspaceView(
                bounds.allowedPaths(), bounds.blockedPaths(), null, Map.of(), bounds.maxFileSizeBytes());
    }

    /** One input file and the given outputs, nothing else. */
    public static WorkspaceView of(Path input, Map<Path, Path> outputs, @Nullable Long maxFileBytes) {
        return new WorkspaceView(null, List.of(), input, outputs, maxFileBytes);
    }

    /** Whether the whole workspace is visible and writable. */
    public boolean isOpen() {
        return allowedPaths == null && blockedPaths.isEmpty() && input == null;
    }

    /** Refuses a partial view, for sandboxes that cannot hide parts of a workspace. */
    public void requireWhole() throws ToolFailure {
        if (!isOpen() || maxFileBytes != null) {
            throw new ToolFailure(
                    ErrorCode.CAPABILITY_DENIED,
                    "The sandbox on this machine cannot limit a command to some paths or file sizes, so it is"
                            + " refused where these are limited; install bubblewrap on Linux, use the file tools,"
                            + " or lift the limit for commands");
        }
    }
}
