package dev.toolgate.cli.client;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The HTTP client of a server; failures are exceptions with a message for the user. */
public final class Api implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_PAGE = 500;

    private final ServerAddress server;
    private final @Nullable Key key;
    private final HttpClient client;

    /**
     * @throws IOException if the trusted certificates cannot be read
     */
    public Api(ServerAddress server, @Nullable Key key) throws IOException {
        this.server = server;
        this.key = key;
        this.client = server.client().connectTimeout(Duration.ofSeconds(5)).build();
    }

    /** Reads a resource. */
    public JsonNode get(RequestTarget target) throws IOException {
        return body(ask("GET", target, null));
    }

    /** Sends a change. */
    public JsonNode send(String method, RequestTarget target, ObjectNode body) throws IOException {
        return body(ask(method, target, body));
    }

    /** Sends a PUT without a body. */
    public void put(RequestTarget target) throws IOException {
        body(ask("PUT", target, null));
    }

    /** Deletes a resource. */
    public JsonNode delete(RequestTarget target) throws IOException {
        return body(ask("DELETE", target, null));
    }

    /** Reads a list page by page, up to a number of entries. */
    public ArrayNode list(RequestTarget target, int max) throws IOException {
        ArrayNode all = Json.MAPPER.createArrayNode();
        Optional<RequestTarget> next = Optional.of(target.with("limit", Math.min(max, MAX_PAGE)));
        while (next.isPresent() && all.size() < max) {
            ResponsePage page = page(next.get());
            page.items().valueStream().limit((long) max - all.size()).forEach(all::add);
            next = page.next();
        }
        return all;
    }

    private ResponsePage page(RequestTarget target) throws IOException {
        HttpResponse<InputStream> response = ask("GET", target, null);
        Optional<RequestTarget> next = response.headers().allValues("Link").stream()
                .flatMap(link -> NextLink.of(link).stream())
                .findFirst();
        return new ResponsePage(body(response), next);
    }

    /** Reads a resource without a time-out. */
    public JsonNode getWithoutTimeout(RequestTarget target) throws IOException {
        return body(checked(exchange(request("GET", target, null).build())));
    }

    /** Sends a POST without a body and without a time-out. */
    public JsonNode postWithoutTimeout(RequestTarget target) throws IOException {
        return body(checked(exchange(request("POST", target, null).build())));
    }

    /** Opens a stream, which the caller must close. */
    public InputStream open(RequestTarget target) throws IOException {
        return checked(exchange(request("GET", target, null).build())).body();
    }

    /** The server's health report, whatever its state. */
    public JsonNode health() throws IOException {
        HttpResponse<InputStream> response = exchange(request("GET", new RequestTarget("/health"), null)
                .timeout(TIMEOUT)
                .build());
        JsonNode health = body(response);
        if (!health.path("status").isString()) {
            throw new IOException(notOurs());
        }
        return health;
    }

    private HttpResponse<InputStream> ask(String method, RequestTarget target, @Nullable JsonNode body)
            throws IOException {
        return checked(exchange(request(method, target, body).timeout(TIMEOUT).build()));
    }

    private HttpResponse<InputStream> checked(HttpResponse<InputStream> response) throws IOException {
        if (response.statusCode() / 100 == 2) {
            return response;
        }
        try (InputStream error = response.body()) {
            throw Refusal.of(server, response.statusCode(), error);
        }
    }

    private HttpRequest.Builder request(String method, RequestTarget target, @Nullable JsonNode body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(target));
        if (key != null) {
            request.header("Authorization", "Bearer " + key.text());
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return request.method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
    }

    private HttpResponse<InputStream> exchange(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException silent) {
            throw server.noAnswer(silent);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    private JsonNode body(HttpResponse<InputStream> response) throws IOException {
        try (InputStream body = response.body()) {
            byte[] bytes = body.readAllBytes();
            return bytes.length == 0 ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(bytes);
        } catch (JacksonException notJson) {
            throw new IOException(notOurs(), notJson);
        }
    }

    private String notOurs() {
        return "the program at " + server + " is not a Toolgate server; check the address";
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
