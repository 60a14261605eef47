package dev.toolgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real HTTP server that expects recorded requests in their order, and answers as recorded. */
final class ReplayServer implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final HttpServer server;
    private final ManualTime time;
    private final Deque<JsonNode> expected = new ArrayDeque<>();
    private final Map<String, String> ids = new HashMap<>();
    private @Nullable Throwable mismatch;
    private long notBefore;

    ReplayServer(ManualTime time) throws IOException {
        this.time = time;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized void expect(JsonNode exchanges) {
        exchanges.forEach(expected::add);
    }

    /** Whether all that was expected has come, and nothing else. */
    synchronized void verify() {
        if (mismatch != null) {
            throw new AssertionError("The client sent something else: " + mismatch.getMessage(), mismatch);
        }
        assertThat(expected).as("requests that did not come").isEmpty();
    }

    /** The text with the ids that the client has made. */
    synchronized String withIds(String text) {
        String real = text;
        for (Map.Entry<String, String> id : ids.entrySet()) {
            real = real.replace(id.getKey(), id.getValue());
        }
        return real;
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            try {
                JsonNode next = expected.poll();
                assertThat(next)
                        .as("one more request: " + exchange.getRequestURI())
                        .isNotNull();
                check(next.path("request"), exchange, body);
                answer(next.path("response"), exchange);
            } catch (AssertionError different) {
                mismatch = mismatch == null ? different : mismatch;
                exchange.sendResponseHeaders(599, -1);
            }
        }
    }

    private void check(JsonNode request, HttpExchange exchange, byte[] body) {
        assertThat(time.nanos()).as("waited as Retry-After says").isGreaterThanOrEqualTo(notBefore);
        assertThat(exchange.getRequestMethod()).isEqualTo(request.path("method").asString());
        if (request.has("body")) {
            same("body", request.path("body"), MAPPER.readTree(body));
        }
        URI wanted = URI.create(withIds(request.path("path").asString()));
        assertThat(exchange.getRequestURI().getPath()).isEqualTo(wanted.getPath());
        assertThat(parameters(exchange.getRequestURI())).isEqualTo(parameters(wanted));
        request.path("headers").properties().forEach(header -> assertThat(
                        exchange.getRequestHeaders().getFirst(header.getKey()))
                .as(header.getKey())
                .isEqualTo(header.getValue().asString()));
        assertThat(exchange.getRequestHeaders().getFirst("User-Agent")).isEqualTo("toolgate-java/0.1.0");
    }

    private static Set<String> parameters(URI uri) {
        return new TreeSet<>(Arrays.asList(String.valueOf(uri.getRawQuery()).split("&")));
    }

    private void same(String where, JsonNode wanted, JsonNode sent) {
        if (wanted.has("$matches")) {
            assertThat(sent.asString())
                    .as(where)
                    .matches(text -> text.matches(wanted.path("$matches").asString() + ".*"));
        } else if (wanted.isObject()) {
            assertThat(sent.propertyNames()).as(where).containsExactlyInAnyOrderElementsOf(wanted.propertyNames());
            wanted.properties().forEach(field -> same(field.getKey(), field.getValue(), sent.path(field.getKey())));
        } else if (wanted.asString("").startsWith("$") && !ids.containsKey(wanted.asString())) {
            assertThat(UUID.fromString(sent.asString()).toString()).isEqualTo(sent.asString());
            ids.put(wanted.asString(), sent.asString());
        } else {
            assertThat(sent).as(where).isEqualTo(MAPPER.readTree(withIds(wanted.toString())));
        }
    }

    private void answer(JsonNode response, HttpExchange exchange) throws IOException {
        JsonNode body = response.path("body");
        byte[] content =
                withIds(body.isString() ? body.asString() : body.toString()).getBytes(StandardCharsets.UTF_8);
        response.path("headers").properties().forEach(header -> exchange.getResponseHeaders()
                .set(header.getKey(), withIds(header.getValue().asString())));
        JsonNode retryAfter = response.path("headers").path("Retry-After");
        notBefore = retryAfter.isMissingNode()
                ? 0
                : time.nanos()
                        + Duration.ofSeconds(Long.parseLong(retryAfter.asString()))
                                .toNanos();
        exchange.sendResponseHeaders(response.path("status").asInt(), content.length);
        exchange.getResponseBody().write(content);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
