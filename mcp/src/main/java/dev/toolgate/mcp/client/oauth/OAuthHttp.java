package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.http.BoundedBody;
import dev.toolgate.mcp.client.http.ClientHttpRequest;
import dev.toolgate.mcp.client.http.ClientHttpResponse;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.RequestAbort;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Requests to authorization servers, with a timeout and a maximum response size. */
final class OAuthHttp {
    /** A response; the body is null if it is not a JSON object. */
    record Reply(int status, @Nullable ObjectNode json) {
        /** Whether it says nothing about the request, which may succeed later. */
        boolean isTemporaryFailure() {
            return status >= 500 || status == 408 || status == 429;
        }

        /** The failure's kind: an unavailable server has refused nothing. */
        McpFailureKind failureKind() {
            return isTemporaryFailure() ? McpFailureKind.UNREACHABLE : McpFailureKind.UNAUTHORIZED;
        }
    }

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_BYTES = 256 << 10;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(50)
                            .maxNumberLength(100)
                            .build())
                    .build())
            .build();

    private final HttpExchanger exchanger;
    private final EndpointCheck check;

    OAuthHttp(HttpExchanger exchanger, EndpointCheck check) {
        this.exchanger = exchanger;
        this.check = check;
    }

    EndpointCheck check() {
        return check;
    }

    Reply get(String what, URI url) throws McpFailure {
        return ask(what, new ClientHttpRequest("GET", check.require(what, url), accept(), null, TIMEOUT));
    }

    /** The same with an access token. */
    Reply get(String what, URI url, String token) throws McpFailure {
        Map<String, String> headers = Map.of("Accept", "application/json", "Authorization", "Bearer " + token);
        return ask(what, new ClientHttpRequest("GET", check.require(what, url), headers, null, TIMEOUT));
    }

    Reply postJson(String what, URI url, ObjectNode body) throws McpFailure {
        return ask(
                what,
                new ClientHttpRequest(
                        "POST",
                        check.require(what, url),
                        Map.of("Accept", "application/json", "Content-Type", "application/json"),
                        JSON.writeValueAsBytes(body),
                        TIMEOUT));
    }

    /**
     * @param authorization the value of the header; null for none
     */
    Reply postForm(String what, URI url, Map<String, String> form, @Nullable String authorization) throws McpFailure {
        String type = "application/x-www-form-urlencoded";
        Map<String, String> headers = authorization == null
                ? Map.of("Accept", "application/json", "Content-Type", type)
                : Map.of("Accept", "application/json", "Content-Type", type, "Authorization", authorization);
        return ask(
                what,
                new ClientHttpRequest(
                        "POST",
                        check.require(what, url),
                        headers,
                        query(form).getBytes(StandardCharsets.US_ASCII),
                        TIMEOUT));
    }

    private static Map<String, String> accept() {
        return Map.of("Accept", "application/json");
    }

    /** Parameters, encoded for a URL or a form. */
    static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> encode(each.getKey()) + "=" + encode(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Reply ask(String what, ClientHttpRequest request) throws McpFailure {
        RequestAbort abort = new RequestAbort();
        // The timeout of a request covers only the response head; the body can be slow as well.
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                abort::abort, CompletableFuture.delayedExecutor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        try (ClientHttpResponse response = exchanger.exchange(request, abort)) {
            return new Reply(response.status(), object(BoundedBody.read(response.body(), MAX_BYTES)));
        } catch (IOException broken) {
            throw new McpFailure(
                    McpFailureKind.UNREACHABLE,
                    "The " + what + " at " + request.uri().getHost() + " does not answer: " + broken.getMessage(),
                    broken);
        } finally {
            end.cancel(false);
        }
    }

    private static @Nullable ObjectNode object(byte[] body) {
        try {
            JsonNode node = JSON.readTree(body);
            return node instanceof ObjectNode object ? object : null;
        } catch (JacksonException noJson) {
            return null;
        }
    }
}
