package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.protocol.McpHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds session, credentials and common headers to the requests to one endpoint, and renews refused credentials. */
final class HttpSender {
    private static final int MAX_REFUSALS = 3;
    private static final int MAX_SESSION_LENGTH = 1_024;

    private final HttpEndpoint endpoint;
    private final HttpExchanger exchanger;
    private final ServerAuthorization authorization;
    private volatile @Nullable String session;

    HttpSender(HttpEndpoint endpoint, HttpExchanger exchanger, ServerAuthorization authorization) {
        this.endpoint = endpoint;
        this.exchanger = exchanger;
        this.authorization = authorization;
    }

    /**
     * @param session that the request belongs to; null if it belongs to none
     */
    ClientHttpResponse post(
            byte[] body,
            Map<String, String> headers,
            @Nullable String session,
            @Nullable Duration timeout,
            RequestAbort abort)
            throws IOException, McpFailure {
        Map<String, String> all = new LinkedHashMap<>(16);
        all.put("Content-Type", "application/json");
        all.put("Accept", "application/json, text/event-stream");
        return send("POST", body, all, headers, session, timeout, abort);
    }

    ClientHttpResponse get(
            Map<String, String> headers,
            @Nullable String session,
            @Nullable String lastEventId,
            @Nullable Duration timeout,
            RequestAbort abort)
            throws IOException, McpFailure {
        Map<String, String> all = new LinkedHashMap<>(16);
        all.put("Accept", "text/event-stream");
        if (lastEventId != null) {
            all.put(McpHeaders.LAST_EVENT_ID, lastEventId);
        }
        return send("GET", null, all, headers, session, timeout, abort);
    }

    private ClientHttpResponse send(
            String method,
            byte @Nullable [] body,
            Map<String, String> all,
            Map<String, String> headers,
            @Nullable String ofSession,
            @Nullable Duration timeout,
            RequestAbort abort)
            throws IOException, McpFailure {
        all.putAll(endpoint.headers());
        all.putAll(headers);
        if (ofSession != null) {
            all.put(McpHeaders.SESSION_ID, ofSession);
        }
        for (int attempt = 1; ; attempt++) {
            Map<String, String> credentials = authorization.headers();
            all.putAll(credentials);
            ClientHttpResponse response =
                    exchanger.exchange(new ClientHttpRequest(method, endpoint.uri(), all, body, timeout), abort);
            if (response.status() != 401 && response.status() != 403) {
                return response;
            }
            List<String> challenges = response.headers().apply("WWW-Authenticate");
            BoundedBody.beginning(response.body(), 16 << 10);
            response.close();
            String reason = attempt == MAX_REFUSALS
                    ? "it keeps refusing the credentials"
                    : authorization.renew(
                            new ServerAuthorization.Refusal(response.status(), challenges, credentials, attempt));
            if (reason != null) {
                throw new McpFailure(
                        McpFailureKind.UNAUTHORIZED,
                        "The server refused the request with HTTP status " + response.status() + ": " + reason + ".");
            }
        }
    }

    /** The session that the answer to {@code initialize} assigns; null if the server has no sessions. */
    static @Nullable String assignedSession(ClientHttpResponse response) throws McpFailure {
        String assigned = response.header(McpHeaders.SESSION_ID);
        if (assigned == null) {
            return null;
        }
        if (assigned.isEmpty()
                || assigned.length() > MAX_SESSION_LENGTH
                || !assigned.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            response.close();
            throw new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server assigned a session id that is too long or not visible ASCII.");
        }
        return assigned;
    }

    /** Sends all later requests in this session. */
    void adoptSession(@Nullable String assigned) {
        session = assigned;
    }

    @Nullable
    String session() {
        return session;
    }

    /** Whether the request belongs to a legacy revision, whose streams can be resumed. */
    static boolean hasLegacyStreams(Map<String, String> headers, @Nullable String session) {
        return !headers.containsKey(McpHeaders.METHOD)
                && (headers.containsKey(McpHeaders.PROTOCOL_VERSION) || session != null);
    }

    /** Ends the session at the server. */
    void endSession(Duration timeout) {
        String ended = session;
        session = null;
        if (ended == null) {
            return;
        }
        Map<String, String> headers = new LinkedHashMap<>(endpoint.headers());
        headers.put(McpHeaders.SESSION_ID, ended);
        try {
            headers.putAll(authorization.headers());
            exchanger
                    .exchange(
                            new ClientHttpRequest("DELETE", endpoint.uri(), headers, null, timeout), new RequestAbort())
                    .close();
        } catch (IOException | McpFailure gone) {
            // Best effort: otherwise the server expires the session.
        }
    }

    static McpFailure failure(IOException broken) {
        String message = broken.getMessage();
        return broken instanceof HttpUnreachable
                ? new McpFailure(McpFailureKind.UNREACHABLE, String.valueOf(message), broken)
                : new McpFailure(
                        McpFailureKind.CONNECTION_LOST,
                        "The connection to the server broke before its answer: " + message,
                        broken);
    }
}
