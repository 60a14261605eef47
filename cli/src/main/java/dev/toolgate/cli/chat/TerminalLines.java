package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.TerminalDevice;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines typed at the terminal this runs in. */
final class TerminalLines implements Keyboard.Lines {
    /** A terminal keeps no more of a line than this, and says nothing of the rest. */
    private static final int LONGEST = 4095;
    // A paste that comes over a network comes in pieces; nobody types the next line within 50 ms.
    private static final int LOOKS = 10;
    private static final long MILLIS_BETWEEN = 5;

    private final BufferedReader keys;
    private final Charset charset;
    private final Pause pause;

    /** A short time in which something may be typed. */
    interface Pause {
        void pass() throws InterruptedException;
    }

    TerminalLines(BufferedReader keys, Charset charset, Pause pause) {
        this.keys = keys;
        this.charset = charset;
        this.pause = pause;
    }

    /** The terminal, if there is one with a person before it. */
    static Optional<TerminalLines> find() {
        // Not the console's own reader, which never says that something has been typed already.
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> new TerminalLines(
                        new BufferedReader(new InputStreamReader(System.in, console.charset())),
                        console.charset(),
                        () -> Thread.sleep(MILLIS_BETWEEN)));
    }

    @Override
    public @Nullable String line() throws IOException {
        return keys.readLine();
    }

    @Override
    public @Nullable String more() throws IOException {
        try {
            for (int i = 0; i < LOOKS && !keys.ready(); i++) {
                pause.pass();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return keys.ready() ? keys.readLine() : null;
    }

    // First what has left the terminal already, so that nothing is anywhere once the terminal has dropped the rest.
    @Override
    public boolean drop() throws IOException {
        while (keys.ready() && keys.read() >= 0) {
            // was typed too early
        }
        return TerminalDevice.dropInput();
    }

    @Override
    public boolean isCut(String line) {
        return line.getBytes(charset).length >= LONGEST;
    }
}
