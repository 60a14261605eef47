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
 * Asks services that an operator has named, and nobody else: it follows no redirects. Messages never tell what was
 * sent, because a key is part of it.
 *
 * @param patience how long a whole answer may take
 */
record JsonClient(HttpClient client, Duration patience) implements AutoCloseable {
    private static final long MOST_BYTES = 4L << 20;

    static JsonClient with(Duration patience) {
        return new JsonClient(
                HttpClient.newBuilder()
                        .connectTimeout(patience)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .build(),
                patience);
    }

    JsonNode get(URI uri, Map<String, String> headers) throws SearchProblem, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "application/json");
        headers.forEach(request::header);
        HttpResponse<byte[]> response = send(request.build());
        if (response.statusCode() == 429) {
            throw new SearchProblem("takes no more questions for now (429)");
        }
        if (response.statusCode() != 200) {
            throw new SearchProblem("answered with status " + response.statusCode());
        }
        try {
            return Json.MAPPER.readTree(response.body());
        } catch (JacksonException notJson) {
            throw new SearchProblem("did not answer in JSON");
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws SearchProblem, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new SearchProblem("did not answer within " + patience.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw new SearchProblem(
                    switch (failed.getCause()) {
                        case ConnectException refused -> "could not be connected to";
                        case IOException broken -> "broke off its answer, or it was too large";
                        case null, default -> "could not be asked";
                    });
        } finally {
            answer.cancel(true); // also when interrupted: nothing is left behind on the network
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
