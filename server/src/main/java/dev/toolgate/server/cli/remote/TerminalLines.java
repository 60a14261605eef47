package dev.toolgate.server.cli.remote;

import java.io.Console;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines typed at the terminal this runs in. */
final class TerminalLines implements Keyboard.Lines {
    private final Console console;

    private TerminalLines(Console console) {
        this.console = console;
    }

    /** The terminal, if there is one with a person before it. */
    static Optional<TerminalLines> find() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).map(TerminalLines::new);
    }

    // Lines that are there already were pasted with the first one.
    @Override
    public @Nullable String message() throws IOException {
        String first = console.readLine();
        if (first == null) {
            return null;
        }
        StringBuilder message = new StringBuilder(first);
        while (console.reader().ready()) {
            String more = console.readLine();
            if (more == null) {
                break;
            }
            message.append('\n').append(more);
        }
        return message.toString();
    }

    // What was typed before the question could be read is no answer to it.
    @Override
    public @Nullable String answer() throws IOException {
        while (console.reader().ready()) {
            if (console.readLine() == null) {
                return null;
            }
        }
        return console.readLine();
    }
}
