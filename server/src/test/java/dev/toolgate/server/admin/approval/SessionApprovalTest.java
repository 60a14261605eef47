package dev.toolgate.server.admin.approval;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Approvals that a session's policy rule requires, not the grant. */
class SessionApprovalTest extends HeldCallsFixture {
    private static final String AGENT = "agent_in_session";
    private static final String SESSION = "sess_asking";
    private static final String RULE = "rule_say";

    private Client caller;

    enum Door {
        EXECUTE,
        INVOKE;

        Reply call(Client client, String session, String text) {
            return switch (this) {
                case EXECUTE -> client.post("/api/v1/tools/execute", """
                                {"request_id": "%s", "agent_id": "%s", "session_id": "%s", "tool_name": "say",
                                 "operation": "test", "parameters": {"text": "%s"}}""".formatted(text(), AGENT, session, text));
                case INVOKE -> client.post("/tools/say/invoke", """
                                {"sessionId": "%s", "taskId": "t", "stepId": "s", "workspaceId": "w", "toolName": "say",
                                 "arguments": {"text": "%s"}}""".formatted(session, text));
            };
        }

        String saidIn(Reply reply) {
            return switch (this) {
                case EXECUTE -> reply.json().at("/result/data").asString();
                case INVOKE -> reply.json().path("outputText").asString();
            };
        }

        String reasonIn(Reply reply) {
            return switch (this) {
                case EXECUTE -> reply.json().path("reason").asString();
                case INVOKE -> reply.json().at("/error/message").asString();
            };
        }
    }

    @BeforeAll
    void begin() {
        grant(AGENT, "false");
        caller = server.withKey(server.key(FIRST, Role.AGENT, new AgentId(AGENT)));
        session(SESSION, "{\"name\": \"Say.Something\", \"requiresApproval\": true, \"approvalRuleId\": \"rule_say\"}");
        session("sess_free", "{\"name\": \"Say.Something\"}");
    }

    private void session(String id, String capability) {
        Reply made = admin.post("/api/v1/sessions", """
                        {"agent_id": "%s", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                         "tenantId": "default", "userId": "ada", "sessionId": "%s", "expiresAt": "2099-01-01T00:00:00Z",
                         "capabilities": [%s],
                         "approvalRules": [{"approvalRuleId": "rule_say", "title": "Loud words",
                           "description": "Ada wants to know"}]}}""".formatted(AGENT, id, capability));
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
    }

    @ParameterizedTest
    @EnumSource
    void an_approved_call_runs_and_the_answer_and_rule_are_recorded(Door door) {
        String text = text();
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> door.call(caller, SESSION, text));
        JsonNode question = asked(text);
        assertThat(question.path("approval_rule_id").asString()).isEqualTo(RULE);
        assertThat(question.path("session_id").asString()).isEqualTo(SESSION);
        assertThat(question.path("reason").asString()).contains("Loud words", "Ada wants to know");
        assertThat(said).doesNotContainKey(text);

        answer(question, "{\"approved\": true, \"reason\": \"loud is fine\"}");

        assertThat(waiting.join().status()).isEqualTo(200);
        assertThat(door.saidIn(waiting.join())).isEqualTo("said " + text);
        assertThat(said.get(text)).isOne();
        JsonNode record = recordOf(question);
        assertThat(record.path("status").asString()).isEqualTo("COMPLETED");
        assertThat(record.path("allowed").booleanValue()).isTrue();
        assertAnswered(record, "loud is fine");
    }

    @ParameterizedTest
    @EnumSource
    void a_denied_call_does_not_run_and_the_answer_and_rule_are_recorded(Door door) {
        String text = text();
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> door.call(caller, SESSION, text));
        JsonNode question = asked(text);

        answer(question, "{\"approved\": false, \"reason\": \"too loud\"}");

        assertThat(door.reasonIn(waiting.join())).contains("too loud");
        assertThat(said).doesNotContainKey(text);
        JsonNode record = recordOf(question);
        assertThat(record.path("status").asString()).isEqualTo("REFUSED");
        assertThat(record.path("error_code").asString()).isEqualTo("APPROVAL_DENIED");
        assertThat(record.path("allowed").booleanValue()).isFalse();
        assertAnswered(record, "too loud");
    }

    @ParameterizedTest
    @EnumSource
    void a_capability_without_approval_holds_no_calls(Door door) {
        String text = text();

        Reply reply = door.call(caller, "sess_free", text);

        assertThat(door.saidIn(reply)).isEqualTo("said " + text);
        JsonNode record =
                admin.get("/api/v1/audit/logs?limit=1&agent_id=" + AGENT).json().path(0);
        assertThat(record.path("session_id").asString()).isEqualTo("sess_free");
        assertThat(record.path("approved_by").isNull()).isTrue();
        assertThat(record.path("approval_rule_id").isNull()).isTrue();
    }

    @Test
    void a_grant_that_needs_approval_too_does_not_hide_the_rule() {
        grant(AGENT, "true");
        try {
            String text = text();
            CompletableFuture<Reply> waiting =
                    CompletableFuture.supplyAsync(() -> Door.EXECUTE.call(caller, SESSION, text));
            JsonNode question = asked(text);
            assertThat(question.path("approval_rule_id").asString()).isEqualTo(RULE);

            answer(question, "{\"approved\": true, \"reason\": \"once\"}");

            assertThat(waiting.join().status()).isEqualTo(200);
            assertAnswered(recordOf(question), "once");
        } finally {
            grant(AGENT, "false");
        }
    }

    @Test
    void a_standing_approval_of_the_grant_does_not_satisfy_the_rule() {
        grant(AGENT, "true");
        try {
            String first = text();
            CompletableFuture<Reply> free =
                    CompletableFuture.supplyAsync(() -> Door.EXECUTE.call(caller, "sess_free", first));
            answer(asked(first), "{\"approved\": true, \"scope\": \"agent\"}");
            assertThat(free.join().status()).isEqualTo(200);
            assertThat(Door.EXECUTE.call(caller, "sess_free", text()).status()).isEqualTo(200);
            JsonNode standing = admin.get("/api/v1/approvals/standing").json().path(0);
            assertThat(standing.path("causes").size()).isOne();
            assertThat(standing.at("/causes/0/reason").asString()).contains("The grant of tool 'say'");

            String second = text();
            CompletableFuture<Reply> ruled =
                    CompletableFuture.supplyAsync(() -> Door.EXECUTE.call(caller, SESSION, second));
            JsonNode question = asked(second);
            assertThat(said).doesNotContainKey(second);
            assertThat(question.path("causes").size()).isEqualTo(2);
            answer(question, "{\"approved\": false}");
            assertThat(ruled.join().status()).isEqualTo(403);

            admin.delete(
                    "/api/v1/approvals/standing/" + standing.path("standing_id").asString());
        } finally {
            grant(AGENT, "false");
        }
    }

    private void answer(JsonNode question, String answer) {
        Reply counted = operator.post(
                "/api/v1/approvals/" + question.path("approval_id").asString(), answer);
        assertThat(counted.status()).as(counted.toString()).isEqualTo(200);
    }

    private void assertAnswered(JsonNode record, String why) {
        assertThat(record.path("approved_by").asString())
                .isEqualTo(operator.get("/api/v1/whoami").json().path("name").asString());
        assertThat(record.path("approved_at").isString()).isTrue();
        assertThat(record.path("approval_reason").asString()).isEqualTo(why);
        assertThat(record.path("approval_rule_id").asString()).isEqualTo(RULE);
        assertThat(record.path("session_id").asString()).isEqualTo(SESSION);
    }

    private JsonNode recordOf(JsonNode question) {
        JsonNode records = admin.get("/api/v1/audit/logs?request_id="
                        + question.path("request_id").asString())
                .json();
        assertThat(records.size()).isOne();
        return records.path(0);
    }

    private JsonNode asked(String text) {
        return await().until(
                        () -> admin.get("/api/v1/approvals?limit=500&state=pending")
                                .json()
                                .valueStream()
                                .filter(each ->
                                        each.at("/parameters/text").asString().equals(text))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }
}
