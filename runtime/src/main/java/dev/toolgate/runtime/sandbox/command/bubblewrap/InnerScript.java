package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What runs inside a sandbox before the command: it says that it is ready, then reads shell lines
 * from standard input, first their number, and evaluates them. A shell reads single bytes from a
 * pipe, so what follows those lines is left for the command. All of it is built into the shell, so
 * that nothing has to be started between the call and the command.
 */
final class InnerScript {
    static final String READY = "ready";

    /** The kernel takes no longer single argument, its final zero included. */
    private static final int LONGEST_COMMAND = 131_071;

    private static final int LONGEST_HEADER = 1 << 20;
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

    /** The lines that turn a waiting sandbox into the running command. */
    static byte[] header(CommandRequest request, Map<String, String> alsoSet) throws ToolFailure {
        StringBuilder lines = new StringBuilder();
        append(lines, request.environment());
        append(lines, alsoSet);
        Long largest = request.view().maxFileBytes();
        if (largest != null) {
            // In blocks, rounded down; a limit beyond the sandbox's own changes nothing.
            lines.append("ulimit -S -f ").append(largest / BLOCK).append(" 2>/dev/null\n");
            lines.append("ulimit -H -f ").append(largest / BLOCK).append(" 2>/dev/null\n");
        }
        lines.append("cd -- ").append(quote(request.cwd().toString())).append(" || exit 126\n");
        lines.append("exec /bin/sh -c ").append(quote(request.command())).append('\n');
        if (lines.indexOf("\0") >= 0) {
            throw invalid("The command or its environment contains a NUL character; remove it");
        }
        if (request.command().getBytes(StandardCharsets.UTF_8).length > LONGEST_COMMAND) {
            throw invalid("The command is longer than " + LONGEST_COMMAND
                    + " bytes; write it to a file in the workspace and run that");
        }
        if (lines.length() > LONGEST_HEADER) {
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
