package dev.toolgate.http.events;

import dev.toolgate.http.error.HttpFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** A client that waits for an answer, which may still become a stream. */
public interface StreamStarter {

    /**
     * Begins a stream with status 200; called at most once. Each write waits until it is on its way; the
     * stream ends when the handler returns.
     *
     * @throws HttpFailure if the tenant has as many streams as it may have
     * @throws IOException if the client has gone away
     */
    OutputStream start(String mediaType, Map<String, String> headers) throws IOException;

    /** Has something done when the server stops while the stream is open; it must not block. */
    void onStop(Runnable listener);
}
