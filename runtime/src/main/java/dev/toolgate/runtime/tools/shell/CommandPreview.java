package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.shell.CommandOutline;
import dev.toolgate.runtime.platform.Platform;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The preview of a command for its approval: first the programs it would run, then its text, which can be too long to
 * read.
 */
record CommandPreview(
        String command,
        Path cwd,
        String limit,
        List<String> domains,
        @Nullable String stdin) {
    private static final int COMMAND_BYTES = 24 * 1024;
    private static final int STDIN_BYTES = 8 * 1024;

    String text(Platform platform) {
        StringBuilder text = new StringBuilder()
                .append("Run in ")
                .append(VisibleText.line(cwd.toString()))
                .append(", for at most ")
                .append(limit)
                .append(" seconds, ")
                .append(domains.isEmpty() ? "without network" : "reaching only " + String.join(", ", domains))
                .append(".\n")
                .append(
                        platform.name().equals("Windows")
                                ? "The programs it runs are not determined for the Windows shell."
                                : CommandOutline.of(command))
                .append("\nIt is written:\n")
                .append(HeadTail.fit(VisibleText.indented(command), COMMAND_BYTES));
        if (stdin != null && !stdin.isEmpty()) {
            text.append("\nwith this on standard input:\n")
                    .append(VisibleText.indented(HeadTail.fit(stdin, STDIN_BYTES)));
        }
        return text.toString();
    }
}
