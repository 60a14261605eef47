package dev.toolgate.cli.terminal;

/** A usage error that parsing does not detect; the message says how to write it. */
public final class WrongUsage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongUsage(String sentence) {
        super(sentence);
    }
}
