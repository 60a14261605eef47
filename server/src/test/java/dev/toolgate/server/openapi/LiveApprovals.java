package dev.toolgate.server.openapi;

import static org.awaitility.Awaitility.await;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Reads the approval stream until the first approval request. */
final class LiveApprovals {
    static final String OPERATION = "GET /api/v1/approvals/stream";

    private LiveApprovals() {}

    static Reply first(RunningServer server) throws Exception {
        server.admin().put("/api/v1/permissions/heard/say", "{\"allowed\": true, \"requires_approval\": true}");
        Client later = server.admin().with("Prefer", "respond-async");
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/approvals/stream"))
                .header("Authorization", "Bearer " + server.key(RunningServer.FIRST, Role.AUDITOR, null))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            CompletableFuture<HttpResponse<String>> heard =
                    http.sendAsync(request, _ -> new LiveRecords("event: opened\ndata: {"));
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        later.post("/api/v1/tools/execute", """
                                {"request_id": "%s", "agent_id": "heard", "tool_name": "say", "operation": "x",
                                 "parameters": {"text": "hi"}}""".formatted(UUID.randomUUID()));
                        return heard.isDone();
                    });
            return new Reply(heard.get());
        }
    }
}
