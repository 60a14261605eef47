package dev.toolgate.mcp.server.http;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The connection that a request came over. */
public interface HttpOutput {

    /**
     * Begins a streamed response with status 200; called at most once, but by any thread.
     *
     * @return null if no stream is available: a call is then answered without one, and a subscription is refused
     */
    @Nullable
    StreamSink open(Map<String, String> headers) throws IOException;

    /**
     * Registers an action for when the client disconnects before its response is complete, where that can be detected.
     */
    void onDisconnect(Runnable listener);
}
