package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.shell.CommandRules;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.command.CommandTimeout;
import dev.toolgate.runtime.command.FinishedCommand;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandEnvironment;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import dev.toolgate.runtime.workspace.Workspaces;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a shell command in the workspace, confined, for a limited time. */
public final class BashTool implements Tool<BashArguments> {
    // Linux's limit for a single argument.
    private static final int MAX_COMMAND_BYTES = 128 * 1024 - 1;

    private static final ToolSpec<BashArguments> SPEC = ToolSpec.of(
                    "bash",
                    BashArguments.class,
                    Category.EXEC,
                    "Shell.Exec",
                    "Execute a shell command and return stdout, stderr, and exit code")
            .returning(ShellResult.class)
            .alsoKnownAs(
                    Alias.runtime("RunCommand").defaulting("timeout", 300).requiringAbsolute("cwd"),
                    Alias.web("executeShellCommand"))
            .dangerous();

    private final Workspaces workspaces;
    private final Supplier<Map<String, String>> environment;
    private final Platform platform;
    private final Duration maxTimeout;

    /**
     * @param environment the environment of commands, as selected by {@link CommandEnvironment}
     * @param maxTimeout the maximum time-out a caller may request
     */
    public BashTool(
            Workspaces workspaces, Supplier<Map<String, String>> environment, Platform platform, Duration maxTimeout) {
        this.workspaces = workspaces;
        this.environment = environment;
        this.platform = platform;
        this.maxTimeout = maxTimeout;
    }

    @Override
    public ToolSpec<BashArguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(BashArguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        try (WorkspaceLease workspace = workspaces.lease(context.workspace())) {
            CommandRequest request = request(arguments, workspace, context.bounds());
            FinishedCommand finished =
                    workspace.commands().run(request, arguments.stdin(), seconds(arguments, context), context);
            int exitCode = finished.exitCode();
            Output output = Output.of(
                            finished.report(), new ShellResult(finished.stdout(), finished.stderr(), exitCode))
                    .with(finished.metadata())
                    .withArtifacts(finished.artifacts())
                    .withVerdict(exitCode == 0 ? Output.Verdict.OK : Output.Verdict.ERROR);
            return exitCode == 0 ? output : explained(output, workspace);
        }
    }

    @Override
    public Optional<String> preview(BashArguments arguments, ToolContext context) throws ToolFailure {
        try (WorkspaceLease workspace = workspaces.lease(context.workspace())) {
            CommandRequest request = request(arguments, workspace, context.bounds());
            CommandPreview preview = new CommandPreview(
                    request.command(),
                    request.cwd(),
                    CommandTimeout.of(seconds(arguments, context), context).inSeconds(),
                    request.allowedDomains(),
                    arguments.stdin());
            return Optional.of(preview.text(platform));
        }
    }

    // The default time-out of an alias is capped to the maximum; an explicit one that exceeds it is refused.
    private int seconds(BashArguments arguments, ToolContext context) throws ToolFailure {
        int maxSeconds = Math.toIntExact(maxTimeout.toSeconds());
        if (arguments.timeoutSeconds() <= maxSeconds) {
            return arguments.timeoutSeconds();
        }
        if (context.call().arguments().path("timeout").isNumber()) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'timeout' must be at most " + maxSeconds + " seconds; request a shorter time-out");
        }
        return maxSeconds;
    }

    private CommandRequest request(BashArguments arguments, WorkspaceLease workspace, Bounds bounds)
            throws ToolFailure {
        check(arguments.command());
        if (bounds.limitsCommands() && platform.name().equals("Windows")) {
            throw new ToolFailure(
                    ErrorCode.CAPABILITY_DENIED,
                    "Commands cannot be limited on Windows, because its shell parses command lines differently;"
                            + " run Toolgate on Linux or in WSL, or lift the limit");
        }
        Optional<String> objection = CommandRules.of(bounds).objection(arguments.command());
        if (objection.isPresent()) {
            throw new ToolFailure(ErrorCode.CAPABILITY_DENIED, objection.get());
        }
        WorkingDirectory place = WorkingDirectory.find(workspace.files().projectRoot(), arguments.cwd(), platform);
        List<String> domains = bounds.allowedDomains();
        return new CommandRequest(
                arguments.command(),
                place.workspace(),
                place.cwd(),
                LimitedEnvironment.of(environment.get(), bounds, place.workspace()),
                domains == null ? List.of() : domains,
                WorkspaceView.within(bounds));
    }

    private static void check(String command) throws ToolFailure {
        if (command.isBlank()) {
            throw new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'command' must not be empty");
        }
        if (command.indexOf('\0') >= 0) {
            throw new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'command' must not contain a NUL character");
        }
        if (command.getBytes(StandardCharsets.UTF_8).length > MAX_COMMAND_BYTES) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'command' must not be longer than " + MAX_COMMAND_BYTES
                            + " bytes; write a script to a file and run that, or use 'stdin'");
        }
    }

    // "Permission denied" alone would not show that the account cannot write to the workspace at all.
    private static Output explained(Output output, WorkspaceLease workspace) {
        return workspace
                .writeProblem()
                .map(reason -> output.withText(output.text() + "\n[" + reason + "]"))
                .orElse(output);
    }
}
