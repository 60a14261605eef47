package dev.toolgate.mcp.server.http;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The connection that a request came over. */
public interface HttpOutput {

    /**
     * Begins an answer with status 200 that is written bit by bit; called at most once, but by any thread.
     *
     * @return null if no stream can be had now: a call is then answered whole, and whoever wants to listen is refused
     */
    @Nullable
    StreamSink open(Map<String, String> headers) throws IOException;

    /** Has something done when the client goes away before its answer is complete, where that is noticed. */
    void onDisconnect(Runnable listener);
}
