package dev.toolgate.server.trial;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** An HTTP client with a key. */
public record Client(HttpClient http, String url, String key) {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    Client(String url, String key) {
        this(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), url, key);
    }

    /** The same server, with another key. */
    Client with(String otherKey) {
        return new Client(http, url, otherKey);
    }

    public Reply get(String path) {
        return send("GET", path, BodyPublishers.noBody());
    }

    public Reply post(String path, String json) {
        return send("POST", path, BodyPublishers.ofString(json));
    }

    Reply send(String method, String path, BodyPublisher body) {
        try {
            return attempt(method, path, body);
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        }
    }

    Reply attempt(String method, String path, BodyPublisher body) throws IOException {
        try {
            return Reply.of(http.send(request(method, path, body).build(), BodyHandlers.ofString()));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    HttpRequest.Builder request(String method, String path, BodyPublisher body) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(method, body);
    }

    public Reply execute(String body) {
        return post("/api/v1/tools/execute", body);
    }

    /** Makes a call with respond-async. */
    Reply executeLater(String body) {
        try {
            return Reply.of(http.send(
                    request("POST", "/api/v1/tools/execute", BodyPublishers.ofString(body))
                            .header("Prefer", "respond-async")
                            .build(),
                    BodyHandlers.ofString()));
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    public Reply execute(String request, String agent, String tool, String parameters) {
        return execute(call(request, agent, tool, parameters));
    }

    Reply permissions(String agent) {
        return get("/api/v1/tools/permissions/" + agent);
    }

    /** Grants tools to an agent. */
    public void grant(String agent, String... tools) {
        for (String tool : tools) {
            expect(200, send("PUT", permission(agent, tool), BodyPublishers.ofString("{\"allowed\": true}")));
        }
    }

    /** Revokes a grant. */
    void revoke(String agent, String tool) {
        expect(204, send("DELETE", permission(agent, tool), BodyPublishers.noBody()));
    }

    private static String permission(String agent, String tool) {
        return "/api/v1/permissions/" + agent + "/" + tool;
    }

    static void expect(int status, Reply reply) {
        if (reply.status() != status) {
            throw new AssertionError("Not " + status + ": " + reply);
        }
    }

    /** The body of a call. */
    static String call(String request, String agent, String tool, String parameters) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("request_id", request);
        body.put("agent_id", agent);
        body.put("tool_name", tool);
        body.put("operation", "trial");
        body.set("parameters", Json.MAPPER.readTree(parameters));
        return body.toString();
    }
}
