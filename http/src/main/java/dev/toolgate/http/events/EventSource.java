package dev.toolgate.http.events;

import java.io.IOException;

/** Where the events of one stream come from. */
@FunctionalInterface
public interface EventSource {

    /**
     * Begins to collect what happens. Called once the stream has its place and before the first byte of the answer, so
     * that whoever has seen it begin misses nothing, and what was opened is closed however the stream ends.
     */
    Opened open();

    /** Events that are being collected, until it is closed. */
    @FunctionalInterface
    interface Opened extends AutoCloseable {

        /**
         * Sends until there is nothing more to send; it may block, and is interrupted when the client has gone away or
         * the server stops.
         */
        void run(EventSender sender) throws IOException, InterruptedException;

        @Override
        default void close() {}
    }
}
