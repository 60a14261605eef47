package dev.toolgate.cli.terminal;

/** Handles Ctrl-C (SIGINT). */
public final class CtrlC {
    private CtrlC() {}

    /** Runs the action on Ctrl-C. If Java does not support it, Ctrl-C ends the program as usual. */
    public static void handle(Runnable action) {
        SignalHandlers.handle("INT", action);
    }
}
