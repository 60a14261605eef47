package dev.toolgate.http.events;

import dev.toolgate.http.error.HttpFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Turns the response to a waiting client into a stream. */
public interface StreamStarter {

    /**
     * Begins a stream with status 200; called at most once. Each write blocks until it is sent; the stream ends when
     * the handler returns.
     *
     * @throws HttpFailure if the tenant has reached its maximum number of streams
     * @throws IOException if the client has disconnected
     */
    OutputStream start(String mediaType, Map<String, String> headers) throws IOException;

    /** Registers a listener for the case that the server stops while the stream is open; it must not block. */
    void onStop(Runnable listener);
}
