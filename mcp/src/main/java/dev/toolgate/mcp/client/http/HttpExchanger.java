package dev.toolgate.mcp.client.http;

import java.io.IOException;

/**
 * Sends HTTP requests. Implementations decide which addresses may be reached; none follows redirects or retries a
 * request. Thread-safe; connections are kept open between requests.
 */
public interface HttpExchanger extends AutoCloseable {
    /**
     * Sends a request and waits for the head of its answer.
     *
     * @param abort registered with before the wait begins; can abort the exchange until the body has been read
     * @throws HttpUnreachable if no connection could be made, so that nothing was sent
     * @throws IOException if the connection broke, or the exchange timed out or was aborted
     */
    ClientHttpResponse exchange(ClientHttpRequest request, RequestAbort abort) throws IOException;

    @Override
    default void close() {}
}
