package dev.toolgate.server.openapi;

import static org.awaitility.Awaitility.await;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads the record stream until the first record. */
final class LiveRecords implements HttpResponse.BodySubscriber<String> {
    static final String OPERATION = "GET /api/v1/audit/stream";

    private final String awaited;
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<Flow.Subscription> source = new CompletableFuture<>();

    /**
     * @param awaited the prefix of the awaited event
     */
    LiveRecords(String awaited) {
        this.awaited = awaited;
    }

    static Reply first(RunningServer server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/audit/stream?agent_id=heard"))
                .header("Authorization", "Bearer " + server.key(RunningServer.FIRST, Role.AUDITOR, null))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            CompletableFuture<HttpResponse<String>> heard =
                    http.sendAsync(request, _ -> new LiveRecords("event: record\ndata: {"));
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        server.admin().post("/api/v1/tools/execute", """
                        {"request_id": "%s", "agent_id": "heard", "tool_name": "bash", "operation": "x", "parameters": {}}""".formatted(UUID.randomUUID()));
                        return heard.isDone();
                    });
            return new Reply(heard.get());
        }
    }

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        source.complete(subscription);
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        parts.forEach(part -> text.append(StandardCharsets.UTF_8.decode(part)));
        if (text.indexOf(awaited) >= 0 && text.toString().endsWith("\n\n")) {
            source.join().cancel();
            body.complete(text.toString());
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(text.toString());
    }
}
