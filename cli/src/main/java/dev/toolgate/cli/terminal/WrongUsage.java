package dev.toolgate.cli.terminal;

/** The command line was wrong in a way that only its meaning shows; the message says what and how to write it. */
public final class WrongUsage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongUsage(String sentence) {
        super(sentence);
    }
}
