package dev.toolgate.runtime.command;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk.Source;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.output.OutputCapture;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Runs commands for tools: confined, with a time limit and bounded output that is streamed to listeners. */
public final class ConfinedCommands {
    private static final int MAX_OUTPUT_BYTES = 16 * 1024 * 1024; // held in memory

    private final CommandSandbox sandbox;
    private final SpoolFolder spool;
    private final Platform platform;

    /** @param spool buffers large output until it is stored */
    public ConfinedCommands(CommandSandbox sandbox, SpoolFolder spool, Platform platform) {
        this.sandbox = sandbox;
        this.spool = spool;
        this.platform = platform;
    }

    /**
     * Runs a command to its end; afterwards none of its processes is running.
     *
     * @throws ToolFailure if it cannot be started, times out or is ended by the sandbox
     */
    public FinishedCommand run(CommandRequest request, @Nullable String stdin, int seconds, ToolContext context)
            throws ToolFailure, InterruptedException {
        CommandTimeout time = CommandTimeout.of(seconds, context);
        int maxBytes = Math.min(context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES), MAX_OUTPUT_BYTES);
        try (OutputRelay relay = new OutputRelay(context);
                OutputCapture stdout = new OutputCapture(maxBytes, spool, relay.from(Source.STDOUT));
                OutputCapture stderr = new OutputCapture(maxBytes, spool, relay.from(Source.STDERR));
                RunningCommand command = sandbox.start(request)) {
            OptionalInt exitCode =
                    CommandRun.serve(command, stdin, stdout, stderr).finish(time);
            if (exitCode.isEmpty()) {
                String message = "Command timed out after " + time.inSeconds() + " seconds";
                throw endedEarly(ErrorCode.TOOL_EXECUTION_TIMEOUT, message, stdout, stderr, maxBytes);
            }
            Optional<String> ended = command.endReason();
            if (ended.isPresent()) {
                throw endedEarly(ErrorCode.TOOL_EXECUTION_FAILED, ended.get(), stdout, stderr, maxBytes);
            }
            int code = exitCode.getAsInt();
            ShellReport report = ShellReport.of("Exit code: " + code, stdout, stderr, maxBytes, platform);
            CapturedArtifacts captured = new CapturedArtifacts(stdout, stderr);
            return new FinishedCommand(
                    code, report.text(), report.stdout(), report.stderr(), captured.extract(), captured.metadata(code));
        }
    }

    private ToolFailure endedEarly(
            ErrorCode code, String why, OutputCapture stdout, OutputCapture stderr, int maxBytes) {
        ShellReport partial = ShellReport.of(why, stdout, stderr, maxBytes, platform);
        return new ToolFailure(code, why, Output.text(partial.text()));
    }
}
