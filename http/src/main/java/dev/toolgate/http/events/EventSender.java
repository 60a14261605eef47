package dev.toolgate.http.events;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sends server-sent events to one client. */
public interface EventSender {

    /**
     * Sends an event and blocks until it is written.
     *
     * @param id returned by the client as {@code Last-Event-ID} to resume after this event
     * @param name the event type; one line
     * @param data one or more lines
     * @throws IOException if the client has disconnected or the server stops
     */
    void send(@Nullable String id, @Nullable String name, String data) throws IOException;
}
