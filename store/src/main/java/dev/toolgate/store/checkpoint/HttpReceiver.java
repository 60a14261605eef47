package dev.toolgate.store.checkpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A server that is sent every checkpoint with a POST, and answers 2xx once it has kept it. */
public final class HttpReceiver implements CheckpointPlace {
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_OK_ANY_MORE = 300;

    private final URI address;
    private final @Nullable String token;
    private final HttpClient client;

    /**
     * Nothing is sent yet.
     *
     * @param token sent as bearer token; {@code null} for none
     */
    public HttpReceiver(URI address, @Nullable String token) {
        this.address = address;
        this.token = token;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECTING)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public String name() {
        return "receiver " + address.getHost();
    }

    @Override
    public void keep(Checkpoint checkpoint) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(ANSWER)
                .header("Content-Type", "text/plain; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(checkpoint.note(), StandardCharsets.UTF_8));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<Void> answer = client.send(request.build(), HttpResponse.BodyHandlers.discarding());
            if (answer.statusCode() < OK || answer.statusCode() >= NOT_OK_ANY_MORE) {
                throw new IOException("the receiver answered " + answer.statusCode());
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", hurry);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
