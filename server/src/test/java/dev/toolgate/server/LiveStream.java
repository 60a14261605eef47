package dev.toolgate.server;

import dev.toolgate.server.openapi.DocumentedEvents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A client of server-sent events that checks every event against the API document. */
public final class LiveStream implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<InputStream> response;
    private final StringBuilder event = new StringBuilder();

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
            check((char) next);
        }
        return read.toString();
    }

    /** Reads until the server ends the stream. */
    public String readToEnd() throws IOException {
        String rest = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        rest.chars().forEach(next -> check((char) next));
        return rest;
    }

    private void check(char next) {
        event.append(next);
        boolean ends = event.length() > 1 && event.charAt(event.length() - 2) == '\n' && next == '\n';
        if (ends && isOfEvents()) {
            HttpRequest request = response.request();
            DocumentedEvents.check(request.method(), request.uri().getPath(), event.toString());
        }
        if (ends) {
            event.setLength(0);
        }
    }

    private boolean isOfEvents() {
        return response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
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
