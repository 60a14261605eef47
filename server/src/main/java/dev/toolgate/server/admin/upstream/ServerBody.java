package dev.toolgate.server.admin.upstream;

import dev.toolgate.store.upstream.McpCredentials;
import dev.toolgate.store.upstream.McpServerRepository.FirstTools;
import dev.toolgate.store.upstream.McpServerSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings of an MCP server in a request; missing fields have their defaults. */
record ServerBody(
        @Nullable String url,
        @Nullable List<String> command,
        @Nullable Map<String, String> environment,
        @Nullable Map<String, String> secrets,
        @Nullable List<String> egress,
        @Nullable Boolean plainHttp,
        @Nullable Credentials credentials,
        @Nullable List<String> allowedTools,
        @Nullable String capability,
        @Nullable Integer timeoutMs,
        @Nullable Map<String, Integer> toolTimeoutsMs,
        @Nullable Boolean trustAnnotations,
        @Nullable Boolean enabled) {

    /** A server to add. */
    record New(
            String name,
            @Nullable Boolean agree,
            @Nullable String reason,
            @Nullable String url,
            @Nullable List<String> command,
            @Nullable Map<String, String> environment,
            @Nullable Map<String, String> secrets,
            @Nullable List<String> egress,
            @Nullable Boolean plainHttp,
            @Nullable Credentials credentials,
            @Nullable List<String> allowedTools,
            @Nullable String capability,
            @Nullable Integer timeoutMs,
            @Nullable Map<String, Integer> toolTimeoutsMs,
            @Nullable Boolean trustAnnotations,
            @Nullable Boolean enabled) {
        ServerBody body() {
            return new ServerBody(
                    url,
                    command,
                    environment,
                    secrets,
                    egress,
                    plainHttp,
                    credentials,
                    allowedTools,
                    capability,
                    timeoutMs,
                    toolTimeoutsMs,
                    trustAnnotations,
                    enabled);
        }

        /** The initial state of the discovered tools. */
        FirstTools firstTools() {
            return Boolean.FALSE.equals(agree) ? FirstTools.WAITING : FirstTools.AGREED;
        }
    }

    /** How the gate authenticates to the server. */
    record Credentials(
            McpCredentials.Kind kind,
            @Nullable String secret,
            @Nullable String header,
            @Nullable String scheme,
            @Nullable String issuer,
            @Nullable String clientId,
            @Nullable List<String> scopes,
            @Nullable String subjectSecret) {
        McpCredentials credentials() {
            return new McpCredentials(
                    kind,
                    secret,
                    header,
                    scheme,
                    uri("issuer", issuer),
                    clientId,
                    scopes == null ? List.of() : scopes,
                    subjectSecret);
        }
    }

    /**
     * @throws IllegalArgumentException if a field is invalid; the message begins with its name
     */
    McpServerSettings settings() {
        Map<String, Duration> timeouts = new TreeMap<>();
        if (toolTimeoutsMs != null) {
            toolTimeoutsMs.forEach((tool, millis) -> timeouts.put(tool, Duration.ofMillis(millis)));
        }
        return new McpServerSettings(
                uri("url", url),
                command == null ? List.of() : command,
                environment == null ? Map.of() : environment,
                secrets == null ? Map.of() : secrets,
                egress == null ? List.of() : egress,
                Boolean.TRUE.equals(plainHttp),
                credentials == null ? null : credentials.credentials(),
                allowedTools,
                capability == null ? McpServerSettings.DEFAULT_CAPABILITY : capability,
                timeoutMs == null ? McpServerSettings.DEFAULT_TIMEOUT : Duration.ofMillis(timeoutMs),
                timeouts,
                Boolean.TRUE.equals(trustAnnotations),
                !Boolean.FALSE.equals(enabled),
                false);
    }

    private static @Nullable URI uri(String field, @Nullable String text) {
        try {
            return text == null ? null : URI.create(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(field + ": must be a URL such as https://example.com/mcp", malformed);
        }
    }
}
