package dev.toolgate.mcp.server.http;

import java.io.IOException;

/** The body of a streamed response, written by one thread at a time. */
public interface StreamSink {

    /**
     * Sends some bytes.
     *
     * @throws IOException if the client is disconnected, or does not read within the write timeout
     */
    void write(byte[] bytes) throws IOException;

    /** Ends the response. */
    void close() throws IOException;
}
