package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.TerminalDevice;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines typed at this terminal. */
final class TerminalLines implements Keyboard.Lines {
    /** A terminal in canonical mode silently truncates lines to this length. */
    private static final int MAX_LINE_BYTES = 4095;
    // Pasted text may arrive in pieces over a network; nobody types another line within 50 ms.
    private static final int MAX_POLLS = 10;
    private static final long POLL_MILLIS = 5;

    private final BufferedReader keys;
    private final Charset charset;
    private final Pause pause;

    /** A short pause for more input. */
    interface Pause {
        void pass() throws InterruptedException;
    }

    TerminalLines(BufferedReader keys, Charset charset, Pause pause) {
        this.keys = keys;
        this.charset = charset;
        this.pause = pause;
    }

    /** The terminal, if the program runs in one. */
    static Optional<TerminalLines> find() {
        // Not the console's own reader, which never reports pending input.
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> new TerminalLines(
                        new BufferedReader(new InputStreamReader(System.in, console.charset())),
                        console.charset(),
                        () -> Thread.sleep(POLL_MILLIS)));
    }

    @Override
    public @Nullable String line() throws IOException {
        return keys.readLine();
    }

    @Override
    public @Nullable String more() throws IOException {
        try {
            for (int i = 0; i < MAX_POLLS && !keys.ready(); i++) {
                pause.pass();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return keys.ready() ? keys.readLine() : null;
    }

    // First the input already in the reader's buffer, then the terminal's own.
    @Override
    public boolean drop() throws IOException {
        while (keys.ready() && keys.read() >= 0) {
            // dropped
        }
        return TerminalDevice.dropInput();
    }

    @Override
    public boolean isCut(String line) {
        return line.getBytes(charset).length >= MAX_LINE_BYTES;
    }
}
