package dev.toolgate.server.door.access;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.server.operate.SayTool;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

/** Audit records contain the ids of their request, for every door. */
class RecordContextTest {
    private static final Map<String, Map<String, String>> LOGGED = new ConcurrentHashMap<>();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(text -> {
            LOGGED.put(text, MDC.getCopyOfContextMap());
            return Output.text("said " + text);
        }));
        agent = server.as(FIRST, Role.AGENT);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        server.admin().put("/api/v1/permissions/agent_1/say", "{\"allowed\": true}");
        PolicySession.of("sess_1", "agent_1", "{\"name\": \"Say.Something\"}")
                .startedBy(server.as(FIRST, Role.ORCHESTRATOR));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void the_access_door_records_the_header_and_the_clients_time() {
        Reply reply = agent.with("X-Correlation-ID", "corr-access").post("/api/v1/tools/execute", execute("one"));

        JsonNode record = only("correlation_id=corr-access");
        assertThat(reply.header("X-Correlation-ID")).contains("corr-access");
        assertThat(record.path("request_id").asString()).isEqualTo("req-one");
        assertThat(record.path("client_timestamp").asString()).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(LOGGED.get("one")).containsEntry("correlation_id", "corr-access");
    }

    @Test
    void a_call_without_a_correlation_id_is_recorded_with_a_generated_one() {
        Reply reply = agent.post("/api/v1/tools/execute", execute("given"));

        String id = reply.header("X-Correlation-ID").orElseThrow();
        assertThat(only("correlation_id=" + id).path("request_id").asString()).isEqualTo("req-given");
    }

    @Test
    void the_front_end_door_records_the_id_of_the_body() {
        agent.post(
                "/execute-tool",
                "{\"tool\": \"say\", \"args\": {\"text\": \"two\"}, \"correlationId\": \"corr-body\"}");

        assertThat(only("correlation_id=corr-body")
                        .path("parameters")
                        .path("text")
                        .asString())
                .isEqualTo("two");
        assertThat(LOGGED.get("two")).containsEntry("correlation_id", "corr-body");
    }

    @Test
    void the_agent_host_door_records_task_and_step() {
        agent.with("X-Correlation-ID", "corr-host").post("/tools/say/invoke", """
                {"sessionId": "sess_1", "taskId": "task_9", "stepId": "step_8", "toolName": "say",
                 "arguments": {"text": "three"}}""");

        JsonNode record = only("correlation_id=corr-host");
        assertThat(record.path("task_id").asString()).isEqualTo("task_9");
        assertThat(record.path("step_id").asString()).isEqualTo("step_8");
    }

    @Test
    void an_impersonation_is_recorded_with_its_correlation_id() {
        agent.with("X-Correlation-ID", "corr-other")
                .post("/api/v1/tools/execute", execute("other").replace("agent_1", "agent_2"));

        assertThat(only("correlation_id=corr-other").path("status").asString()).isEqualTo("REFUSED");
    }

    @Test
    void an_upload_is_recorded_with_its_request() {
        agent.with("X-Correlation-ID", "corr-upload")
                .upload("/workspaces/w/artifacts", "text/plain", BodyPublishers.ofString("hello"));

        JsonNode record = only("correlation_id=corr-upload");
        assertThat(record.path("tool_name").asString()).isEqualTo("artifacts");
        assertThat(record.path("kind").asString()).isEqualTo("call");
    }

    @Test
    void a_held_call_keeps_its_ids_and_its_answer_is_recorded() {
        PolicySession.of("sess_held", "agent_1", "{\"name\": \"Say.Something\", \"requiresApproval\": true}")
                .startedBy(server.as(FIRST, Role.ORCHESTRATOR));
        Reply held = agent.with("X-Correlation-ID", "corr-held")
                .with("Prefer", "respond-async")
                .post("/tools/say/invoke", """
                        {"sessionId": "sess_held", "taskId": "task_7", "stepId": "step_6", "toolName": "say",
                         "arguments": {"text": "held"}}""");
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        String question = server.admin()
                .get("/api/v1/approvals?state=pending")
                .json()
                .path(0)
                .path("approval_id")
                .asString();

        server.admin()
                .with("X-Correlation-ID", "corr-answer")
                .post("/api/v1/approvals/" + question, "{\"approved\": true, \"reason\": \"fine\"}");

        await().until(() -> !server.admin()
                .get("/api/v1/audit/logs?correlation_id=corr-held")
                .json()
                .isEmpty());
        JsonNode record = only("correlation_id=corr-held");
        assertThat(record.path("status").asString()).isEqualTo("COMPLETED");
        assertThat(record.path("task_id").asString()).isEqualTo("task_7");
        assertThat(record.path("step_id").asString()).isEqualTo("step_6");
        assertThat(LOGGED.get("held")).containsEntry("correlation_id", "corr-held");
        JsonNode answer = only("kind=administration&correlation_id=corr-answer");
        assertThat(answer.path("tool_name").asString()).isEqualTo("approvals");
        assertThat(answer.at("/parameters/target/approval_id").asString()).isEqualTo(question);
        assertThat(answer.at("/parameters/before/state").asString()).isEqualTo("pending");
        assertThat(answer.at("/parameters/after/state").asString()).isEqualTo("approved");
        assertThat(answer.at("/parameters/reason").asString()).isEqualTo("fine");
    }

    private static String execute(String text) {
        return """
                {"request_id": "req-%1$s", "agent_id": "agent_1", "tool_name": "say", "operation": "test",
                 "parameters": {"text": "%1$s"}, "timestamp": "2026-01-02T03:04:05Z"}""".formatted(text);
    }

    private static JsonNode only(String filter) {
        JsonNode records = server.admin().get("/api/v1/audit/logs?" + filter).json();
        assertThat(records).as(filter).hasSize(1);
        return records.path(0);
    }
}
