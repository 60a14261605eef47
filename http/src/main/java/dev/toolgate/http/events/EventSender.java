package dev.toolgate.http.events;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sends server-sent events to one client. */
public interface EventSender {

    /**
     * Sends an event and blocks until it is written.
     *
     * @param id returned by the client as {@code Last-Event-ID} to resume after this event
     * @param type {@code null} for a stream with only one type
     * @param data one or more lines
     * @throws IOException if the client has disconnected or the server stops
     */
    void send(@Nullable String id, @Nullable EventType type, String data) throws IOException;
}
