package dev.toolgate.mcp.server.http;

import java.io.IOException;

/** The body of an answer that is written bit by bit, by one thread at a time. */
public interface StreamSink {

    /**
     * Sends some bytes on their way.
     *
     * @throws IOException if the client is gone, or takes nothing for longer than the server waits
     */
    void write(byte[] bytes) throws IOException;

    /** Ends the answer. */
    void close() throws IOException;
}
