package dev.toolgate.store.checkpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A server to which every checkpoint is sent with a POST; any 2xx response means that it was stored. */
public final class HttpReceiver implements CheckpointStore {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int REDIRECT = 300;

    private final URI address;
    private final @Nullable String token;
    private final HttpClient client;

    /**
     * Sends nothing yet.
     *
     * @param token sent as bearer token; {@code null} for none
     */
    public HttpReceiver(URI address, @Nullable String token) {
        this.address = address;
        this.token = token;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public String name() {
        return "receiver " + address.getHost();
    }

    @Override
    public void save(Checkpoint checkpoint) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(RESPONSE_TIMEOUT)
                .header("Content-Type", "text/plain; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(checkpoint.note(), StandardCharsets.UTF_8));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<Void> answer = client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            if (answer.statusCode() < OK || answer.statusCode() >= REDIRECT) {
                throw new IOException("the receiver responded with status " + answer.statusCode());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
