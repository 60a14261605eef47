package dev.toolgate.cli.terminal;

import picocli.CommandLine.Help.Ansi;

/** How a terminal is told to write faintly; nothing where there are no colours. */
public record Ink(String faint, String normal) {

    /** As far as the terminal and {@code NO_COLOR} let it. */
    public static Ink of(Ansi ansi) {
        return ansi.enabled() ? new Ink("\u001b[2m", "\u001b[0m") : new Ink("", "");
    }

    // Every piece ends as it began, so that no interruption leaves the terminal faint.
    public String faintly(String text) {
        return faint + text + normal;
    }
}
