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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The settings that forbid callers to approve their own calls and require two approvers for dangerous tools. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FourEyesTest {
    private RunningServer server;
    private Client admin;
    private Client operator;

    @BeforeAll
    void start(@TempDir Path home) throws Exception {
        server = RunningServer.start(
                home,
                Map.of("approvals.four_eyes", "true", "approvals.dangerous_approvers", "2"),
                new SayTool(text -> Output.text("said " + text)));
        admin = server.admin();
        operator = server.as(FIRST, Role.OPERATOR);
        admin.post("/api/v1/agents", "{\"agent_id\": \"writer\"}");
        for (String tool : new String[] {"say", "file_write"}) {
            assertThat(admin.put(
                                    "/api/v1/permissions/writer/" + tool,
                                    "{\"allowed\": true, \"requires_approval\": true}")
                            .status())
                    .isEqualTo(200);
        }
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    @Test
    void the_caller_may_not_approve_its_own_call() {
        String request = UUID.randomUUID().toString();
        String question = question(request, "say", "{\"text\": \"hello\"}");

        Reply own = admin.post(question, "{\"approved\": true}");
        assertThat(own.status()).as(own.toString()).isEqualTo(403);
        assertThat(own.toString()).contains("approvals.four_eyes");
        assertThat(admin.get(question).json().path("state").asString()).isEqualTo("pending");
        assertThat(admin.get(question).json().path("caller_may_approve").asBoolean(true))
                .isFalse();
        assertThat(admin.get("/api/v1/calls/" + request).status()).isEqualTo(202);

        assertThat(operator.post(question, "{\"approved\": true}").status()).isEqualTo(200);
        await().until(() -> admin.get("/api/v1/calls/" + request).status() == 200);
    }

    @Test
    void a_dangerous_tool_needs_two_different_approvers() {
        String request = UUID.randomUUID().toString();
        String question =
                question(request, "file_write", "{\"path\": \"%s.txt\", \"content\": \"x\"}".formatted(request));
        Client second = server.withKey(server.key(FIRST, Role.OPERATOR, null));

        Reply first = operator.post(question, "{\"approved\": true, \"reason\": \"fine\"}");
        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.json().path("state").asString()).isEqualTo("pending");
        assertThat(first.json().path("approvals_needed").asInt()).isEqualTo(2);
        assertThat(first.json().path("approvals").size()).isOne();
        assertThat(operator.post(question, "{\"approved\": true}").status()).isEqualTo(409);
        assertThat(admin.post(question, "{\"approved\": true}").status())
                .as("who made it")
                .isEqualTo(403);
        assertThat(admin.get("/api/v1/calls/" + request).status()).isEqualTo(202);

        Reply last = second.post(question, "{\"approved\": true}");
        assertThat(last.json().path("state").asString()).isEqualTo("approved");
        assertThat(last.json().path("approvals").size()).isEqualTo(2);
        await().until(() -> admin.get("/api/v1/calls/" + request).status() == 200);
        assertThat(admin.get("/api/v1/audit/logs?request_id=" + request)
                        .json()
                        .path(0)
                        .path("approved_by")
                        .asString())
                .isEqualTo(operator.get("/api/v1/whoami").json().path("name").asString() + ", "
                        + second.get("/api/v1/whoami").json().path("name").asString());
    }

    /** The path of the approval request of a call with the admin's key. */
    private String question(String request, String tool, String parameters) {
        Reply held = admin.with("Prefer", "respond-async")
                .post("/api/v1/tools/execute", """
                        {"request_id": "%s", "agent_id": "writer", "tool_name": "%s", "operation": "test",
                         "parameters": %s}""".formatted(request, tool, parameters));
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        return "/api/v1/approvals/" + held.json().path("approval_id").asString();
    }
}
