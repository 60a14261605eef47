package dev.toolgate.server.door.artifact;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Artifact requests over HTTP are recorded. */
class ArtifactRecordsTest {
    @TempDir
    private static Path home;

    private static final BreakingLog LOG = new BreakingLog();
    private static RunningServer server;
    private static Client agent;
    private static Client operator;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("artifacts.max_size", "1KB"), LOG::around);
        agent = server.as(FIRST, Role.AGENT);
        operator = server.as(FIRST, Role.OPERATOR);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void an_upload_is_recorded_without_its_content() {
        Reply stored = upload(agent, "ws_kept", "the very bytes", "?name=password=hunter22.txt");

        JsonNode record = only("ws_kept", "upload");
        assertThat(record.path("agent_id").asString()).isEqualTo("agent_1");
        assertThat(record.path("principal").asString()).startsWith("key:");
        assertThat(record.path("status").asString()).isEqualTo("COMPLETED");
        assertThat(record.at("/parameters/artifact_id").asString())
                .isEqualTo(stored.json().path("id").asString());
        assertThat(record.at("/parameters/sha256").asString())
                .isEqualTo(stored.json().path("sha256").asString());
        assertThat(record.at("/parameters/size").asLong()).isEqualTo(14);
        assertThat(record.toString()).doesNotContain("the very bytes", "hunter22");
        assertThat(server.as(ACME, Role.ADMIN)
                        .get("/api/v1/audit/logs?tool_name=artifacts")
                        .json())
                .isEmpty();
    }

    @Test
    void a_deletion_is_recorded_with_its_author_and_owner() {
        String path = location(upload(agent, "ws_gone", "x", ""));

        assertThat(operator.delete(path).status()).isEqualTo(204);

        JsonNode record = only("ws_gone", "delete");
        String name = operator.get("/api/v1/whoami").json().path("name").asString();
        assertThat(record.path("principal").asString()).isEqualTo(name);
        assertThat(record.path("agent_id").asString()).isEqualTo(name);
        assertThat(record.at("/parameters/agent_id").asString()).isEqualTo("agent_1");
        assertThat(path).endsWith(record.at("/parameters/artifact_id").asString());
    }

    @Test
    void refused_and_failed_requests_are_recorded() {
        String path = location(upload(agent, "ws_no", "x", ""));
        Client colleague = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_2")));

        assertThat(colleague.delete(path).status()).isEqualTo(404);
        assertThat(upload(agent, "ws_big", "x".repeat(2000), "").status()).isEqualTo(413);

        JsonNode refused = only("ws_no", "delete");
        assertThat(refused.path("status").asString()).isEqualTo("REFUSED");
        assertThat(refused.path("agent_id").asString()).isEqualTo("agent_2");
        assertThat(refused.path("error_code").asString()).isEqualTo("PERMISSION_DENIED");
        assertThat(refused.path("denial_reason").asString()).contains("another agent");
        assertThat(only("ws_big", "upload").path("status").asString()).isEqualTo("FAILED");
    }

    @Test
    void nothing_is_done_if_the_intent_cannot_be_recorded() {
        String path = location(upload(agent, "ws_before", "x", ""));
        LOG.broken = BreakingLog.Part.INTENTS;
        try {
            assertThat(upload(agent, "ws_before", "y", "").status()).isEqualTo(503);
            assertThat(agent.delete(path).status()).isEqualTo(503);
        } finally {
            LOG.broken = BreakingLog.Part.NOTHING;
        }

        assertThat(agent.get(path).text()).isEqualTo("x");
        assertThat(agent.get("/workspaces/ws_before/artifacts").json()).hasSize(1);
    }

    @Test
    void an_upload_is_deleted_if_its_end_cannot_be_recorded() {
        LOG.broken = BreakingLog.Part.RECORDS;
        try {
            assertThat(upload(agent, "ws_after", "y", "").status()).isEqualTo(503);
        } finally {
            LOG.broken = BreakingLog.Part.NOTHING;
        }

        assertThat(agent.get("/workspaces/ws_after/artifacts").json()).isEmpty();
    }

    private static Reply upload(Client client, String workspace, String text, String query) {
        return client.upload(
                "/workspaces/" + workspace + "/artifacts" + query, "text/plain", BodyPublishers.ofString(text));
    }

    private static String location(Reply stored) {
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        return stored.header("Location").orElseThrow();
    }

    private static JsonNode only(String workspace, String operation) {
        List<JsonNode> found = server.admin()
                .get("/api/v1/audit/logs?limit=1000&tool_name=artifacts")
                .json()
                .valueStream()
                .filter(record -> record.path("workspace_id").asString().equals(workspace)
                        && record.path("operation").asString().equals(operation))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    /** Wraps the audit log, with failures that the test can switch on. */
    private static final class BreakingLog {
        enum Part {
            NOTHING,
            INTENTS,
            RECORDS
        }

        volatile Part broken = Part.NOTHING;

        AuditLog around(AuditLog delegate) {
            return new AuditLog() {
                @Override
                public void intend(Intent intent, @Nullable RequestKey key) {
                    breakFor(Part.INTENTS);
                    delegate.intend(intent, key);
                }

                @Override
                public void permit(Permit permit) {
                    breakFor(Part.INTENTS);
                    delegate.permit(permit);
                }

                @Override
                public void record(Entry entry, @Nullable KeptAnswer answer) {
                    breakFor(Part.RECORDS);
                    delegate.record(entry, answer);
                }
            };
        }

        private void breakFor(Part part) {
            if (broken == part) {
                throw new Unavailable("The log cannot be reached now.", null);
            }
        }
    }
}
