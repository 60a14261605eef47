package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The script that runs inside a sandbox before the command: it reports readiness, then reads a number and that many
 * shell lines from standard input and evaluates them. A shell reads a pipe byte by byte, so the rest of the input is
 * left for the command. It uses only shell built-ins, so that no process is started between the call and the command.
 */
final class InnerScript {
    static final String READY = "ready";

    /** The kernel's limit for a single argument, terminating NUL included. */
    private static final int MAX_COMMAND_BYTES = 131_071;

    private static final int MAX_HEADER_LENGTH = 1 << 20;
    private static final int BLOCK = 512;

    static final String SCRIPT = """
            echo %s
            IFS= read -r lines || exit 0
            header=
            while [ "$lines" -gt 0 ]; do
              IFS= read -r line || exit 0
              header="$header$line
            "
              lines=$((lines - 1))
            done
            unset line lines
            eval "unset header; $header"
            """.formatted(READY);

    private InnerScript() {}

    /** The lines that make a prepared sandbox run the command. */
    static byte[] header(CommandRequest request, Map<String, String> alsoSet) throws ToolFailure {
        StringBuilder lines = new StringBuilder();
        append(lines, request.environment());
        append(lines, alsoSet);
        Long maxFileBytes = request.view().maxFileBytes();
        if (maxFileBytes != null) {
            // In blocks, rounded down; a limit above the sandbox's own has no effect.
            lines.append("ulimit -S -f ").append(maxFileBytes / BLOCK).append(" 2>/dev/null\n");
            lines.append("ulimit -H -f ").append(maxFileBytes / BLOCK).append(" 2>/dev/null\n");
        }
        lines.append("cd -- ").append(quote(request.cwd().toString())).append(" || exit 126\n");
        lines.append("exec /bin/sh -c ").append(quote(request.command())).append('\n');
        if (lines.indexOf("\0") >= 0) {
            throw invalid("The command or its environment contains a NUL character; remove it");
        }
        if (request.command().getBytes(StandardCharsets.UTF_8).length > MAX_COMMAND_BYTES) {
            throw invalid("The command is longer than " + MAX_COMMAND_BYTES
                    + " bytes; write it to a file in the workspace and run that");
        }
        if (lines.length() > MAX_HEADER_LENGTH) {
            throw invalid("The command's environment is larger than 1 MiB; pass less in it");
        }
        long count = lines.chars().filter(c -> c == '\n').count();
        return (count + "\n" + lines).getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder lines, Map<String, String> variables) {
        variables.forEach((name, value) -> {
            if (Environment.canBeSet(name)) {
                lines.append("export ")
                        .append(name)
                        .append('=')
                        .append(quote(value))
                        .append('\n');
            }
        });
    }

    private static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static ToolFailure invalid(String sentence) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, sentence);
    }
}
