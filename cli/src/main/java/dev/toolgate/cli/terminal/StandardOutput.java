package dev.toolgate.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;

/** What answers are printed to. Java's writers keep to themselves that something could not be written. */
public final class StandardOutput {
    /** What is said when an answer was lost. */
    public static final String LOST = "the answer could not be written to the standard output";

    private StandardOutput() {}

    /** A writer that can be asked whether everything has arrived; the one that picocli would make cannot. */
    public static PrintWriter writer() {
        return new PrintWriter(System.out, true, System.out.charset());
    }

    /**
     * Writes out what is still on its way.
     *
     * @throws IOException with one sentence if anything was lost
     */
    public static void finish(PrintWriter out) throws IOException {
        if (out.checkError()) {
            throw new IOException(LOST);
        }
    }
}
