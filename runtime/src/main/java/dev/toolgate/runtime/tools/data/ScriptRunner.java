package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.command.FinishedCommand;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.SizeLimit;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Runs a Python script that sees one read-only input file of the workspace and may write its outputs. */
public final class ScriptRunner {
    static final int TIMEOUT_SECONDS = 300;

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "MPLBACKEND", "Agg",
            "MPLCONFIGDIR", "/tmp/matplotlib",
            "OMP_NUM_THREADS", "4",
            "OPENBLAS_NUM_THREADS", "4",
            "PYTHONDONTWRITEBYTECODE", "1",
            "PYTHONIOENCODING", "utf-8",
            "PYTHONSAFEPATH", "1", // files of the workspace are not importable
            "PYTHONUNBUFFERED", "1");

    private final Workspaces workspaces;
    private final Python python;
    private final Supplier<Map<String, String>> inherited;

    /** @param inherited the inherited environment variables of scripts */
    public ScriptRunner(Workspaces workspaces, Python python, Supplier<Map<String, String>> inherited) {
        this.workspaces = workspaces;
        this.python = python;
        this.inherited = inherited;
    }

    /** The workspace of a call; the caller must close the lease after the script has ended. */
    WorkspaceLease lease(ToolContext context) throws ToolFailure {
        return workspaces.lease(context.workspace());
    }

    /** The real path of the input file; fails if the call may not read it. */
    static Path input(Workspace workspace, String path, Bounds bounds) throws ToolFailure {
        workspace.locate(path, Access.READ, bounds);
        Path real = workspace.validatePath(path, Access.READ);
        try (OpenFile file =
                workspace.locate(real.toString(), Access.READ, bounds).open()) {
            SizeLimit.check(file.size(), path, bounds);
        } catch (IOException unreadable) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED, "'" + path + "' cannot be read: " + unreadable.getMessage());
        }
        return inProject(workspace, real, path);
    }

    /** Refuses a path in the central root, which is not visible to scripts. */
    static Path inProject(Workspace workspace, Path path, String shown) throws ToolFailure {
        if (!path.startsWith(workspace.projectRoot())) {
            throw new ToolFailure(
                    ErrorCode.PERMISSION_DENIED,
                    "'" + shown + "' is outside the project root, the only folder visible to scripts; copy it"
                            + " there first");
        }
        return path;
    }

    /**
     * Runs the script to its end.
     *
     * @param input the real path of the input file
     * @param outputs the paths the script may write to, mapped to the files that receive the content
     * @throws ToolFailure if the script fails, with the end of its standard error
     */
    FinishedCommand run(
            String script, Path input, Map<Path, Path> outputs, WorkspaceLease workspace, ToolContext context)
            throws ToolFailure, InterruptedException {
        Bounds bounds = context.bounds();
        if (bounds.limitsCommands()) {
            throw new ToolFailure(
                    ErrorCode.CAPABILITY_DENIED,
                    "A script can start any program, so it is refused where commands are limited; lift the limit for"
                            + " scripts");
        }
        Map<String, String> environment = new TreeMap<>(inherited.get());
        environment.putAll(ENVIRONMENT);
        environment.put("INPUT_FILE", input.toString());
        StringBuilder line = new StringBuilder("exec " + python.find() + " - \"$INPUT_FILE\"");
        outputs.keySet().forEach(place -> {
            environment.put("OUTPUT_IMAGE", place.toString());
            line.append(" \"$OUTPUT_IMAGE\"");
        });
        List<String> domains = bounds.allowedDomains();
        Path root = workspace.files().projectRoot();
        CommandRequest request = new CommandRequest(
                line.toString(),
                root,
                root,
                environment,
                domains == null ? List.of() : domains,
                WorkspaceView.of(input, outputs, bounds.maxFileSizeBytes()));
        FinishedCommand finished = workspace.commands().run(request, script, TIMEOUT_SECONDS, context);
        if (finished.exitCode() != 0) {
            throw ScriptFailure.of(finished);
        }
        return finished;
    }
}
