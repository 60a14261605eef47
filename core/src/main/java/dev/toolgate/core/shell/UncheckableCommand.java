package dev.toolgate.core.shell;

/** A command line cannot be checked with certainty; the message completes "because ...". */
final class UncheckableCommand extends Exception {
    private static final long serialVersionUID = 1;

    UncheckableCommand(String why) {
        super(why, null, false, false);
    }
}
