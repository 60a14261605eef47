package dev.toolgate.runtime.tools.shell;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
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
                .append(visible(cwd.toString()))
                .append(", for at most ")
                .append(limit)
                .append(" seconds, ")
                .append(domains.isEmpty() ? "without network" : "reaching only " + String.join(", ", domains))
                .append(":\n")
                .append(indented(command));
        if (stdin != null && !stdin.isEmpty()) {
            text.append("\nwith this on standard input:\n").append(indented(stdin));
        }
        return text.toString();
    }

    private static String indented(String text) {
        return visible(text).lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }

    // Characters that move the cursor or turn the direction of writing could make a command look like another.
    private static String visible(String text) {
        return text.codePoints()
                .mapToObj(point -> isHarmless(point) ? Character.toString(point) : String.format("\\u{%x}", point))
                .collect(Collectors.joining());
    }

    private static boolean isHarmless(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL -> point == '\n' || point == '\t';
            case Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
