package dev.toolgate.server.undo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An agent whose calls are undone, and the files it changes. */
final class UndoTrial {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    final RunningServer server;
    final Path workspace;
    final String agent = "undo_" + NUMBER.incrementAndGet();

    UndoTrial(RunningServer server, Path home, String... tools) {
        this.server = server;
        this.workspace = home.resolve("workspace");
        Reply made = answered(() -> server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + agent + "\"}"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        for (String tool : tools) {
            grant(tool, "{\"allowed\": true}");
        }
    }

    void grant(String tool, String terms) {
        Reply granted = answered(() -> server.admin().put("/api/v1/permissions/" + agent + "/" + tool, terms));
        assertThat(granted.status()).as(granted.text()).isEqualTo(200);
    }

    /** Retries on 503: on a busy machine the server may time out while it waits for its database. */
    private static Reply answered(Supplier<Reply> request) {
        Reply reply = request.get();
        for (int attempt = 0; attempt < 20 && reply.status() == 503; attempt++) {
            reply = request.get();
        }
        return reply;
    }

    Client own() {
        return server.withKey(server.key(RunningServer.FIRST, Role.AGENT, new AgentId(agent)));
    }

    /** A file of this agent only, so that tests do not interfere. */
    Path file(String name) {
        return workspace.resolve(agent + "-" + name);
    }

    /** Makes a call and returns the id of its record. */
    long call(String tool, ObjectNode parameters) {
        String request = agent + "-" + NUMBER.incrementAndGet();
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("request_id", request)
                .put("agent_id", agent)
                .put("tool_name", tool)
                .put("operation", "run");
        body.set("parameters", parameters);
        Reply reply = answered(() -> server.admin().post("/api/v1/tools/execute", body.toString()));
        assertThat(reply.json().at("/result/success").asBoolean())
                .as(reply.text())
                .isTrue();
        return recordOf(request).path("id").asLong();
    }

    long write(Path file, String content) {
        return call("file_write", path(file).put("content", content));
    }

    long delete(Path file) {
        return call("file_delete", path(file));
    }

    long save(String key, String value) {
        return call(
                "memory_save", Json.MAPPER.createObjectNode().put("key", key).put("value", value));
    }

    String remembered(String key) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT value FROM memory_items WHERE agent_id = :agent AND key = :key")
                .bind("agent", agent)
                .bind("key", key)
                .mapTo(String.class)
                .findOne()
                .orElse("nothing"));
    }

    private static ObjectNode path(Path file) {
        return Json.MAPPER.createObjectNode().put("path", String.valueOf(file.getFileName()));
    }

    JsonNode recordOf(String request) {
        Reply found = answered(() -> server.admin().get("/api/v1/audit/logs?request_id=" + request));
        assertThat(found.json().size()).as(found.text()).isEqualTo(1);
        return found.json().get(0);
    }

    JsonNode record(long id) {
        return server.admin().get("/api/v1/audit/logs/" + id).json();
    }

    Reply undo(long record) {
        return undo(server.admin(), record);
    }

    static Reply undo(Client client, long record) {
        String body = "{\"reason\": \"a mistake\", \"request_id\": \"undo-" + NUMBER.incrementAndGet() + "\"}";
        return answered(() -> client.post("/api/v1/audit/logs/" + record + "/undo", body));
    }

    Reply preview(long record) {
        return server.admin().get("/api/v1/audit/logs/" + record + "/undo");
    }

    /** Undoes a change and returns the id of the undo's record. */
    long undone(long record) {
        Reply reply = undo(record);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return recordOf(reply.json().path("request_id").asString()).path("id").asLong();
    }

    static void put(Path file, String content) throws IOException {
        put(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a file owned by the account of its folder, as if a tool had written it. */
    static void put(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        WorkspaceAccount.changeOwner(file, WorkspaceAccount.of(file.resolveSibling("")));
    }
}
