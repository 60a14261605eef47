package dev.toolgate.runtime.tools.shell;

import dev.toolgate.runtime.command.VisibleText;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command as a person who is asked to approve it sees it: all of it, with nothing hidden. */
record CommandPreview(
        String command,
        Path cwd,
        String limit,
        List<String> domains,
        @Nullable String stdin) {

    String text() {
        StringBuilder text = new StringBuilder()
                .append("Run in ")
                .append(VisibleText.visible(cwd.toString()))
                .append(", for at most ")
                .append(limit)
                .append(" seconds, ")
                .append(domains.isEmpty() ? "without network" : "reaching only " + String.join(", ", domains))
                .append(":\n")
                .append(VisibleText.indented(command));
        if (stdin != null && !stdin.isEmpty()) {
            text.append("\nwith this on standard input:\n").append(VisibleText.indented(stdin));
        }
        return text.toString();
    }
}
