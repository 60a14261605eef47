package dev.toolgate.core.shell;

/** A command line cannot be parsed with certainty; the message completes "because ...". */
final class NotUnderstood extends Exception {
    private static final long serialVersionUID = 1;

    NotUnderstood(String why) {
        super(why, null, false, false);
    }
}
