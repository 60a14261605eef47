package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk.Source;
import dev.toolgate.core.shell.CommandRules;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.output.OutputCapture;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** Runs a shell command in the workspace, confined, for a limited time. */
public final class BashTool implements Tool<BashArguments> {
    private static final int MOST_OUTPUT_BYTES = 16 * 1024 * 1024; // it is held in memory

    // What Linux accepts as one argument of a program.
    private static final int MOST_COMMAND_BYTES = 128 * 1024 - 1;

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

    private final CommandSandbox sandbox;
    private final Path workspace;
    private final Supplier<Map<String, String>> environment;
    private final SpoolFolder spool;
    private final Platform platform;
    private final Supplier<Optional<String>> complaint;

    /**
     * @param workspace the folder commands work in and cannot leave
     * @param environment the variables a command gets, already without secrets
     * @param spool where large output waits until it is stored
     * @param complaint what is wrong with the workspace, if anything, told when a command fails
     */
    public BashTool(
            CommandSandbox sandbox,
            Path workspace,
            Supplier<Map<String, String>> environment,
            SpoolFolder spool,
            Platform platform,
            Supplier<Optional<String>> complaint) {
        this.sandbox = sandbox;
        this.workspace = workspace;
        this.environment = environment;
        this.spool = spool;
        this.platform = platform;
        this.complaint = complaint;
    }

    @Override
    public ToolSpec<BashArguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(BashArguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        CommandRequest request = request(arguments, context.bounds());
        TimeAllowance time = TimeAllowance.of(arguments.timeoutSeconds(), context);
        int room = Math.min(context.maxOutputBytesOr(ToolContext.USUAL_OUTPUT_BYTES), MOST_OUTPUT_BYTES);
        try (OutputRelay relay = new OutputRelay(context);
                OutputCapture stdout = new OutputCapture(room, spool, relay.from(Source.STDOUT));
                OutputCapture stderr = new OutputCapture(room, spool, relay.from(Source.STDERR));
                RunningCommand command = sandbox.start(request)) {
            OptionalInt exitCode =
                    CommandRun.serve(command, arguments.stdin(), stdout, stderr).finish(time);
            if (exitCode.isEmpty()) {
                String message = "Command timed out after " + time.inSeconds() + " seconds";
                throw cutShort(ErrorCode.TOOL_EXECUTION_TIMEOUT, message, stdout, stderr, room);
            }
            Optional<String> ended = command.endedBecause();
            if (ended.isPresent()) {
                throw cutShort(ErrorCode.TOOL_EXECUTION_FAILED, ended.get(), stdout, stderr, room);
            }
            ShellReport report = ShellReport.of("Exit code: " + exitCode.getAsInt(), stdout, stderr, room, platform);
            Output output = output(report, exitCode.getAsInt(), new CapturedArtifacts(stdout, stderr));
            return exitCode.getAsInt() == 0 ? output : explained(output);
        }
    }

    @Override
    public Optional<String> preview(BashArguments arguments, ToolContext context) throws ToolFailure {
        CommandRequest request = request(arguments, context.bounds());
        CommandPreview preview = new CommandPreview(
                request.command(),
                request.cwd(),
                TimeAllowance.of(arguments.timeoutSeconds(), context).inSeconds(),
                request.allowedDomains(),
                arguments.stdin());
        return Optional.of(preview.text());
    }

    private CommandRequest request(BashArguments arguments, Bounds bounds) throws ToolFailure {
        check(arguments.command());
        Optional<String> objection = CommandRules.of(bounds).objection(arguments.command());
        if (objection.isPresent()) {
            throw new ToolFailure(ErrorCode.PERMISSION_DENIED, objection.get());
        }
        WorkingDirectory place = WorkingDirectory.find(workspace, arguments.cwd(), platform);
        List<String> domains = bounds.allowedDomains();
        return new CommandRequest(
                arguments.command(),
                place.workspace(),
                place.cwd(),
                bounds.limitsCommands() ? LimitedEnvironment.of(environment.get()) : environment.get(),
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
        if (command.getBytes(StandardCharsets.UTF_8).length > MOST_COMMAND_BYTES) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'command' must not be longer than " + MOST_COMMAND_BYTES
                            + " bytes; write a script to a file and run that, or use 'stdin'");
        }
    }

    private ToolFailure cutShort(ErrorCode code, String why, OutputCapture stdout, OutputCapture stderr, int room) {
        ShellReport partial = ShellReport.of(why, stdout, stderr, room, platform);
        return new ToolFailure(code, why, Output.text(partial.text()));
    }

    // "Permission denied" alone would be a puzzle where the whole workspace is closed to the command.
    private Output explained(Output output) {
        return complaint
                .get()
                .map(reason -> output.saying(output.text() + "\n[" + reason + "]"))
                .orElse(output);
    }

    private static Output output(ShellReport report, int exitCode, CapturedArtifacts captured) {
        List<Artifact> artifacts = captured.extract();
        return new Output(
                report.text(),
                new ShellResult(report.stdout(), report.stderr(), exitCode),
                captured.metadata(exitCode),
                artifacts,
                exitCode == 0 ? Output.Verdict.OK : Output.Verdict.ERROR);
    }
}
