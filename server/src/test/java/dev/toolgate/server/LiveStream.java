package dev.toolgate.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A client of server-sent events. */
public final class LiveStream implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<InputStream> response;

    private LiveStream(HttpResponse<InputStream> response) {
        this.response = response;
    }

    /** Opens the stream; returns when the response has started. */
    public static LiveStream open(Client client, String path) throws IOException, InterruptedException {
        return new LiveStream(
                HTTP.send(client.request("GET", path, BodyPublishers.noBody()).build(), BodyHandlers.ofInputStream()));
    }

    /** Posts JSON and opens the stream that answers it. */
    public static LiveStream post(Client client, String path, String json) throws IOException, InterruptedException {
        return new LiveStream(HTTP.send(
                client.request("POST", path, BodyPublishers.ofString(json))
                        .header("Content-Type", "application/json")
                        .build(),
                BodyHandlers.ofInputStream()));
    }

    public int status() {
        return response.statusCode();
    }

    /** Reads until a text, inclusive. */
    public String readUntil(String text) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(text) < 0) {
            int next = response.body().read();
            if (next < 0) {
                throw new AssertionError("The stream ended before '" + text + "' came: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    /** Reads until the server ends the stream. */
    public String readToEnd() throws IOException {
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
