package dev.toolgate.cli.terminal;

import picocli.CommandLine.Help.Ansi;

/** ANSI sequences for faint text; empty without colours. */
public record TerminalStyle(String faint, String normal) {

    /** The style for the terminal; respects {@code NO_COLOR}. */
    public static TerminalStyle of(Ansi ansi) {
        return ansi.enabled() ? new TerminalStyle("\u001b[2m", "\u001b[0m") : new TerminalStyle("", "");
    }

    // Each piece is reset, so that an interruption never leaves the terminal faint.
    public String faintly(String text) {
        return faint + text + normal;
    }
}
