package dev.toolgate.http.events;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One client that listens to server-sent events. */
public interface EventSender {

    /**
     * Sends an event and waits until it is on its way.
     *
     * @param id what the client sends back as {@code Last-Event-ID} to go on after this event
     * @param name the kind of event; one line
     * @param data the event itself, in one or more lines
     * @throws IOException if the client has gone away or the server stops
     */
    void send(@Nullable String id, @Nullable String name, String data) throws IOException;
}
