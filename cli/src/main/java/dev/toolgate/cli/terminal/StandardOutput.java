package dev.toolgate.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;

/** The standard output. Java's print writers do not throw if writing fails, so errors are checked. */
public final class StandardOutput {
    /** The message if the output could not be written. */
    public static final String LOST = "the result could not be written to the standard output";

    private StandardOutput() {}

    /** A writer whose errors can be checked, unlike picocli's default one. */
    public static PrintWriter writer() {
        return new PrintWriter(System.out, true, System.out.charset());
    }

    /**
     * Flushes the output.
     *
     * @throws IOException if anything could not be written
     */
    public static void finish(PrintWriter out) throws IOException {
        if (out.checkError()) {
            throw new IOException(LOST);
        }
    }
}
