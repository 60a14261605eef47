package dev.toolgate.server.openapi;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Announces a too large body and waits for the response before sending any of it. */
final class OverlargeBody {
    private static final long BYTES = 100_000_000;

    private OverlargeBody() {}

    static Reply send(RunningServer server, Contract.Operation operation) throws Exception {
        String path = CheckedClient.filled(operation.path(), "somebody", "something");
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                    .header("Authorization", "Bearer " + server.key(RunningServer.FIRST, Role.ADMIN, null))
                    .header("Content-Type", "application/json")
                    .expectContinue(true)
                    .method(operation.method(), BodyPublishers.fromPublisher(nothing(), BYTES))
                    .build();
            return new Reply(http.send(request, BodyHandlers.ofString()));
        }
    }

    private static Flow.Publisher<ByteBuffer> nothing() {
        return _ -> {
            throw new AssertionError("The server asked for a body that it does not take.");
        };
    }
}
