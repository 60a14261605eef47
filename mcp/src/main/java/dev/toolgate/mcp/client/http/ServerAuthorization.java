package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.McpFailure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The credentials for one server, and how they are renewed when the server refuses them. */
public interface ServerAuthorization {
    /**
     * A refusal of the server.
     *
     * @param status 401 or 403
     * @param challenges the values of {@code WWW-Authenticate}
     * @param used the credentials that were refused
     * @param attempt how often this request has been refused, starting at 1
     */
    record Refusal(int status, List<String> challenges, Map<String, String> used, int attempt) {}

    /** The headers with the credentials for the next request; empty if there are none. */
    Map<String, String> headers() throws McpFailure;

    /**
     * Gets other credentials after a refusal.
     *
     * @return null if the request should be retried, otherwise why not
     */
    @Nullable
    String renew(Refusal refusal) throws McpFailure;

    /** Always the same headers, for example a key. */
    static ServerAuthorization fixed(Map<String, String> headers) {
        Map<String, String> kept = Map.copyOf(headers);
        return new ServerAuthorization() {
            @Override
            public Map<String, String> headers() {
                return kept;
            }

            @Override
            public @Nullable String renew(Refusal refusal) {
                return kept.isEmpty() ? "no credentials are configured" : "it does not accept the credentials";
            }
        };
    }
}
