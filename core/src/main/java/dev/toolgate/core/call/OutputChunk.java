package dev.toolgate.core.call;

/** A piece of output of a running tool. */
public record OutputChunk(Source source, String text) {
    /** Where the piece came from. */
    public enum Source {
        STDOUT,
        STDERR,
        PROGRESS
    }
}
