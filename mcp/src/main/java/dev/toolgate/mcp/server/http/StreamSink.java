package dev.toolgate.mcp.server.http;

import java.io.IOException;

/** The body of a streamed response, written by one thread at a time. */
public interface StreamSink {

    /**
     * Sends some bytes; may wait until the client may get them.
     *
     * @throws IOException if the client is disconnected, or does not read within the write timeout
     */
    void write(byte[] bytes) throws IOException;

    /**
     * Sends some bytes if the client may get them now.
     *
     * @return whether they were sent
     * @throws IOException if the client is disconnected, or does not read within the write timeout
     */
    default boolean offer(byte[] bytes) throws IOException {
        write(bytes);
        return true;
    }

    /** Ends the response. */
    void close() throws IOException;
}
