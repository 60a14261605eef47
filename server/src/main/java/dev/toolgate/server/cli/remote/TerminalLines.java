package dev.toolgate.server.cli.remote;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines typed at the terminal this runs in. */
final class TerminalLines implements Keyboard.Lines {
    private final BufferedReader keys;

    private TerminalLines(BufferedReader keys) {
        this.keys = keys;
    }

    /** The terminal, if there is one with a person before it. */
    static Optional<TerminalLines> find() {
        // Not the console's own reader, which never says that something has been typed already.
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console ->
                        new TerminalLines(new BufferedReader(new InputStreamReader(System.in, console.charset()))));
    }

    // Lines that are there already were pasted with the first one.
    @Override
    public @Nullable String message() throws IOException {
        String first = keys.readLine();
        if (first == null) {
            return null;
        }
        StringBuilder message = new StringBuilder(first);
        while (keys.ready()) {
            String more = keys.readLine();
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
        while (keys.ready()) {
            if (keys.readLine() == null) {
                return null;
            }
        }
        return keys.readLine();
    }
}
