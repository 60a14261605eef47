package dev.toolgate.server.http;

import java.io.IOException;

/** Sends events to one client for as long as it likes. */
@FunctionalInterface
public interface EventSource {

    /**
     * Runs until there is nothing more to send; it may block, and is interrupted when the client has gone away or the
     * server stops.
     */
    void run(EventSender sender) throws IOException, InterruptedException;
}
