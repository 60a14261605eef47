package dev.toolgate.http.events;

import java.io.IOException;

/** The source of one event stream. */
@FunctionalInterface
public interface EventSource {

    /**
     * Starts collecting events. Called once the stream is admitted and before the first byte of the response, so that a
     * client that has seen it start misses nothing; the result is closed however the stream ends.
     */
    Opened open();

    /** Collects events until closed. */
    @FunctionalInterface
    interface Opened extends AutoCloseable {

        /**
         * Sends events until there are no more; may block, and is interrupted when the client disconnects or the server
         * stops.
         */
        void run(EventSender sender) throws IOException, InterruptedException;

        @Override
        default void close() {}
    }
}
