package dev.toolgate.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Optional;

/** Asks the person at the terminal whether to go on. */
@FunctionalInterface
public interface Confirmation {
    /** Whether the person says yes; empty if the standard input is not a terminal, where nobody has read the question. */
    Optional<Boolean> ask(PrintWriter out, String question) throws IOException;

    /** Asks at the terminal of this program. */
    static Optional<Boolean> atTerminal(PrintWriter out, String question) throws IOException {
        if (!TerminalDevice.isInput()) {
            return Optional.empty();
        }
        // What was typed before the question is no answer to it.
        boolean _ = TerminalDevice.dropInput();
        return Optional.of(fromInput(out, question));
    }

    /** Asks, and takes the first line of the standard input as the answer, be it from a terminal or not. */
    static boolean fromInput(PrintWriter out, String question) throws IOException {
        out.print(question + " [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        return answer != null && answer.strip().matches("(?i)y|yes");
    }
}
