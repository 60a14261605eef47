package dev.toolgate.server.admin.approval;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server with held calls and a tool that counts its runs. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HeldCallsFixture {
    final Map<String, Integer> said = new ConcurrentHashMap<>();

    RunningServer server;
    Client admin;
    Client operator;
    Client agent;

    @BeforeAll
    void start(@TempDir Path home) throws Exception {
        server = RunningServer.start(home, Map.of("approvals.timeout", "4s"), new SayTool(text -> {
            said.merge(text, 1, Integer::sum);
            return Output.text("said " + text);
        }));
        admin = server.admin();
        operator = server.as(FIRST, Role.OPERATOR);
        agent = server.as(FIRST, Role.AGENT);
        grant("agent_1", "true");
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    void grant(String name, String approval) {
        admin.post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        Reply granted = admin.put(
                "/api/v1/permissions/" + name + "/say", "{\"allowed\": true, \"requires_approval\": " + approval + "}");
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    static String text() {
        return UUID.randomUUID().toString();
    }

    static String call(String request, String text) {
        return call("agent_1", request, text);
    }

    static String call(String name, String request, String text) {
        return """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "say", "operation": "test",
                 "parameters": {"text": "%s"}}""".formatted(request, name, text);
    }

    Reply later(String request, String text) {
        return agent.with("Prefer", "respond-async").post("/api/v1/tools/execute", call(request, text));
    }

    Reply execute(Client client, String request, String text) {
        return client.post("/api/v1/tools/execute", call(request, text));
    }

    Reply execute(Client client, String name, String request, String text) {
        return client.post("/api/v1/tools/execute", call(name, request, text));
    }

    static String id(Reply held) {
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        return held.json().path("approval_id").asString();
    }

    Reply approve(String id) {
        return operator.post("/api/v1/approvals/" + id, "{\"approved\": true}");
    }

    String question(String request) {
        await().until(() -> find("pending", request) != null);
        return only("pending", request).path("approval_id").asString();
    }

    JsonNode only(String state, String request) {
        JsonNode found = find(state, request);
        if (found == null) {
            throw new AssertionError("No such approval request.");
        }
        return found;
    }

    @Nullable
    JsonNode find(String state, String request) {
        return admin.get("/api/v1/approvals?limit=500&state=" + state)
                .json()
                .valueStream()
                .filter(entry -> entry.path("request_id").asString().equals(request))
                .findFirst()
                .orElse(null);
    }
}
