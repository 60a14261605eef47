package dev.toolgate.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An HTTP client with fixed headers. */
public final class Client {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String url;
    private final Map<String, String> headers;

    public Client(String url) {
        this(url, Map.of());
    }

    private Client(String url, Map<String, String> headers) {
        this.url = url;
        this.headers = headers;
    }

    /** A copy with one more header. */
    public Client with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Client(url, more);
    }

    public Reply get(String path) {
        return send("GET", path, null);
    }

    public Reply post(String path, String json) {
        return send("POST", path, json);
    }

    public Reply put(String path, String json) {
        return send("PUT", path, json);
    }

    /** Sends a PUT without a body. */
    public Reply put(String path) {
        return send("PUT", path, null);
    }

    public Reply patch(String path, String json) {
        return send("PATCH", path, json);
    }

    public Reply delete(String path) {
        return send("DELETE", path, null);
    }

    /** Posts a body that is not JSON. */
    public Reply upload(String path, String mediaType, BodyPublisher body) {
        return exchange(request("POST", path, body).header("Content-Type", mediaType));
    }

    /**
     * Sends any request.
     *
     * @param json {@code null} for none
     */
    public Reply send(String method, String path, @Nullable String json) {
        BodyPublisher body = json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json);
        HttpRequest.Builder request = request(method, path, body);
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        return exchange(request);
    }

    /** A request with the fixed headers. */
    public HttpRequest.Builder request(String method, String path, BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofMinutes(2))
                .method(method, body);
        headers.forEach(request::header);
        return request;
    }

    private static Reply exchange(HttpRequest.Builder request) {
        try {
            return new Reply(HTTP.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
