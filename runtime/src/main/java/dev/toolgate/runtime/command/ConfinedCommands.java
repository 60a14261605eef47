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

/** Runs commands for tools: confined, for a limited time, with bounded output that listeners can follow. */
public final class ConfinedCommands {
    private static final int MOST_OUTPUT_BYTES = 16 * 1024 * 1024; // it is held in memory

    private final CommandSandbox sandbox;
    private final SpoolFolder spool;
    private final Platform platform;

    /**
     * @param spool where large output waits until it is stored
     */
    public ConfinedCommands(CommandSandbox sandbox, SpoolFolder spool, Platform platform) {
        this.sandbox = sandbox;
        this.spool = spool;
        this.platform = platform;
    }

    /**
     * Runs a command to its end; nothing of it is left running, however it ends.
     *
     * @throws ToolFailure if it cannot be started, its time is up or the sandbox ended it
     */
    public FinishedCommand run(CommandRequest request, @Nullable String stdin, int seconds, ToolContext context)
            throws ToolFailure, InterruptedException {
        TimeAllowance time = TimeAllowance.of(seconds, context);
        int room = Math.min(context.maxOutputBytesOr(ToolContext.USUAL_OUTPUT_BYTES), MOST_OUTPUT_BYTES);
        try (OutputRelay relay = new OutputRelay(context);
                OutputCapture stdout = new OutputCapture(room, spool, relay.from(Source.STDOUT));
                OutputCapture stderr = new OutputCapture(room, spool, relay.from(Source.STDERR));
                RunningCommand command = sandbox.start(request)) {
            OptionalInt exitCode =
                    CommandRun.serve(command, stdin, stdout, stderr).finish(time);
            if (exitCode.isEmpty()) {
                String message = "Command timed out after " + time.inSeconds() + " seconds";
                throw cutShort(ErrorCode.TOOL_EXECUTION_TIMEOUT, message, stdout, stderr, room);
            }
            Optional<String> ended = command.endedBecause();
            if (ended.isPresent()) {
                throw cutShort(ErrorCode.TOOL_EXECUTION_FAILED, ended.get(), stdout, stderr, room);
            }
            int code = exitCode.getAsInt();
            ShellReport report = ShellReport.of("Exit code: " + code, stdout, stderr, room, platform);
            CapturedArtifacts captured = new CapturedArtifacts(stdout, stderr);
            return new FinishedCommand(
                    code, report.text(), report.stdout(), report.stderr(), captured.extract(), captured.metadata(code));
        }
    }

    private ToolFailure cutShort(ErrorCode code, String why, OutputCapture stdout, OutputCapture stderr, int room) {
        ShellReport partial = ShellReport.of(why, stdout, stderr, room, platform);
        return new ToolFailure(code, why, Output.text(partial.text()));
    }
}
