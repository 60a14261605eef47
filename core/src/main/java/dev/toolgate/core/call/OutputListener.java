package dev.toolgate.core.call;

/** Hears a tool's output while it is still running. Called from one thread at a time. */
@FunctionalInterface
public interface OutputListener {
    /** Nobody is listening. */
    OutputListener NOBODY = chunk -> {};

    /** Takes the next piece of output; whole characters only. */
    void onChunk(OutputChunk chunk);
}
