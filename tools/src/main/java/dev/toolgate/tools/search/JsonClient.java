package dev.toolgate.tools.search;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * HTTP client for configured search services. Does not follow redirects. Messages never quote the request, because it
 * contains a key.
 *
 * @param timeout the time limit of the whole exchange
 */
record JsonClient(HttpClient client, Duration timeout) implements AutoCloseable {
    private static final long MAX_BYTES = 4L << 20;

    static JsonClient with(Duration timeout) {
        return new JsonClient(
                HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build(),
                timeout);
    }

    JsonNode get(URI uri, Map<String, String> headers) throws SearchProblem, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "application/json");
        headers.forEach(request::header);
        HttpResponse<byte[]> response = send(request.build());
        if (response.statusCode() == 429) {
            throw new SearchProblem("has reached its rate limit (429)");
        }
        if (response.statusCode() != 200) {
            throw new SearchProblem("answered with status " + response.statusCode());
        }
        try {
            return Json.MAPPER.readTree(response.body());
        } catch (JacksonException notJson) {
            throw new SearchProblem("did not respond with JSON");
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws SearchProblem, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new SearchProblem("did not respond within " + timeout.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw new SearchProblem(
                    switch (failed.getCause()) {
                        case ConnectException refused -> "could not be connected to";
                        case IOException broken -> "broke the connection, or its response was too large";
                        case null, default -> "could not be reached";
                    });
        } finally {
            answer.cancel(true); // also on interrupt, so that no request is left running
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
