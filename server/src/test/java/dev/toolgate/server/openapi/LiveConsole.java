package dev.toolgate.server.openapi;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;

/** Reads the console's stream until the first event. */
final class LiveConsole {
    static final String OPERATION = "GET /api/v1/console/events";

    private LiveConsole() {}

    static Reply first(RunningServer server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/console/events"))
                .header("Authorization", "Bearer " + server.key(RunningServer.FIRST, Role.AUDITOR, null))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return new Reply(http.send(request, _ -> new LiveRecords("event: permissions\ndata: {")));
        }
    }
}
