package dev.toolgate.mcp.client.http;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP request to send. */
public final class ClientHttpRequest {
    private final String method;
    private final URI uri;
    private final Map<String, String> headers;
    private final byte @Nullable [] body;
    private final @Nullable Duration timeout;

    /**
     * @param body null if there is none
     * @param timeout until the response head arrives; null if the caller enforces the timeout
     */
    public ClientHttpRequest(
            String method, URI uri, Map<String, String> headers, byte @Nullable [] body, @Nullable Duration timeout) {
        this.method = method;
        this.uri = uri;
        this.headers = headers;
        this.body = body;
        this.timeout = timeout;
    }

    public String method() {
        return method;
    }

    public URI uri() {
        return uri;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The body, not to be changed; null if there is none. */
    public byte @Nullable [] body() {
        return body;
    }

    public @Nullable Duration timeout() {
        return timeout;
    }
}
