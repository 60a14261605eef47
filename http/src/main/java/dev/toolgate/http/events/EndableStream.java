package dev.toolgate.http.events;

/** A stream that the server can end when it stops. */
@FunctionalInterface
public interface EndableStream {

    /** Asks the stream to end; may be called more than once. */
    void end();
}
