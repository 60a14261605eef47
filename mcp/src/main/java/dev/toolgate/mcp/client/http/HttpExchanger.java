package dev.toolgate.mcp.client.http;

import java.io.IOException;

/**
 * Sends HTTP requests. Implementations decide which addresses may be reached; none follows redirects or sends anything
 * twice. Any number of threads use one at a time, and it keeps connections open between requests.
 */
public interface HttpExchanger extends AutoCloseable {
    /**
     * Sends a request and waits for the head of its answer.
     *
     * @param abort told how to abort the exchange, before it is waited for and until the body has been read
     * @throws HttpUnreachable if no connection could be made, so that nothing was sent
     * @throws IOException if the connection broke, the time was over or the exchange was aborted
     */
    ClientHttpResponse exchange(ClientHttpRequest request, RequestAbort abort) throws IOException;

    @Override
    default void close() {}
}
