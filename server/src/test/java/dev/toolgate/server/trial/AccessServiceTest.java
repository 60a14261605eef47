package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The access service over HTTP, with its records checked in PostgreSQL. */
class AccessServiceTest {
    @TempDir
    private static Path home;

    private static LiveTrial live;

    @BeforeAll
    static void start() throws Exception {
        live = LiveTrial.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        live.close();
    }

    @Test
    void a_granted_tool_is_allowed_another_denied_and_both_are_recorded() throws Exception {
        live.admin.grant("test_agent", "file_write");

        Reply written = live.admin.execute("""
                {"request_id": "5f0c4a3e-0001-4000-8000-000000000001", "agent_id": "test_agent",
                 "project_id": "proj_123", "tool_name": "file_write", "operation": "write",
                 "parameters": {"path": "test.py", "content": "print('test')"},
                 "timestamp": "2025-11-01T01:15:30Z"}""");
        assertThat(written.status()).as(written.text()).isEqualTo(200);
        assertThat(written.json().path("status").asString()).isEqualTo("allowed");
        assertThat(written.json().path("result").path("success").asBoolean()).isTrue();
        assertThat(written.json().propertyNames())
                .containsExactly("status", "outcome", "request_id", "result", "logged");
        assertThat(home.resolve("workspace/test.py")).hasContent("print('test')");

        Reply denied = live.admin.execute("""
                {"request_id": "5f0c4a3e-0001-4000-8000-000000000002", "agent_id": "test_agent",
                 "tool_name": "database_write", "operation": "write", "parameters": {"table": "users", "data": {}}}""");
        assertThat(denied.status()).as(denied.text()).isEqualTo(403);
        same(denied, """
                {"status": "denied", "outcome": "refused", "request_id": "5f0c4a3e-0001-4000-8000-000000000002",
                 "reason": "Agent 'test_agent' not permitted to use tool 'database_write'",
                 "violation_type": "permission_denied", "allowed_tools": ["file_write"],
                 "suggestion": "Use one of the allowed tools, ask an operator to grant 'database_write' to agent 'test_agent', or use an agent that has it.",
                 "logged": true}""");

        List<JsonNode> records = recordsOf("test_agent");
        assertThat(records).hasSize(2);
        assertThat(records.get(0).path("allowed").asBoolean()).isTrue();
        assertThat(records.get(1).path("allowed").asBoolean()).isFalse();
    }

    @Test
    void the_record_of_a_call_has_the_documented_fields() {
        live.admin.execute("""
                {"request_id": "fields-1", "agent_id": "recorded", "project_id": "proj_123", "tool_name": "note",
                 "operation": "write", "parameters": {"text": "a", "password": "b"}}""");
        ObjectNode record = (ObjectNode) recordsOf("recorded").getFirst();
        assertThat(record.path("id").isIntegralNumber()).isTrue();
        assertThat(Instant.parse(record.path("timestamp").asString())).isBefore(Instant.now());
        assertThat(record.path("execution_time_ms").isIntegralNumber()).isTrue();
        assertThat(record.retain(
                        "request_id",
                        "agent_id",
                        "project_id",
                        "tool_name",
                        "operation",
                        "parameters",
                        "allowed",
                        "denial_reason",
                        "result_summary"))
                .isEqualTo(Json.MAPPER.readTree("""
                        {"request_id": "fields-1", "agent_id": "recorded", "project_id": "proj_123",
                         "tool_name": "note", "operation": "write",
                         "parameters": {"text": "a", "password": "[redacted: 1 character]"}, "allowed": false,
                         "denial_reason": "Agent 'recorded' not permitted to use tool 'note'",
                         "result_summary": "Agent 'recorded' not permitted to use tool 'note'"}"""));
    }

    @Test
    void records_are_found_by_agent_time_and_whether_they_were_allowed() {
        live.admin.grant("sought", "look");
        live.admin.execute("sought-1", "sought", "look", "{}");
        Instant between = Instant.now();
        live.admin.execute("sought-2", "sought", "note", "{}");
        assertThat(found("&allowed=true")).containsExactly("sought-1");
        assertThat(found("&allowed=false")).containsExactly("sought-2");
        assertThat(found("&end_date=" + between)).containsExactly("sought-1");
        assertThat(found("&start_date=" + between)).containsExactly("sought-2");
        assertThat(found("&limit=1")).hasSize(1);
        Reply page = live.admin.get("/api/v1/audit/logs?agent_id=sought&limit=1");
        assertThat(page.whole().headers().firstValue("Link").orElse("")).contains("rel=\"next\"");
    }

    private static List<String> found(String filter) {
        return live.admin
                .get("/api/v1/audit/logs?agent_id=sought" + filter)
                .json()
                .valueStream()
                .map(record -> record.path("request_id").asString())
                .toList();
    }

    @Test
    void an_allowed_call_is_answered_with_exactly_the_documented_body() {
        live.admin.grant("exact", "note");
        Reply reply = live.admin.execute("exact-1", "exact", "note", "{}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        same(reply, """
                {"status": "allowed", "outcome": "completed", "request_id": "exact-1",
                 "result": {"success": true, "data": "noted exact-1"}, "logged": true}""");
    }

    @Test
    void an_agent_without_grants_is_denied() {
        Reply reply = live.admin.execute("nothing-1", "newcomer", "note", "{}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(403);
        same(reply, """
                {"status": "denied", "outcome": "refused", "request_id": "nothing-1",
                 "reason": "Agent 'newcomer' not permitted to use tool 'note'",
                 "violation_type": "permission_denied", "allowed_tools": [],
                 "suggestion": "This agent has not been granted any tool yet; ask an operator to grant 'note' to agent 'newcomer', or use an agent that has it.",
                 "logged": true}""");
        assertThat(live.admin.permissions("newcomer").text()).isEqualTo("[]");
    }

    @Test
    void validate_agrees_with_execute_and_records_nothing() {
        live.admin.grant("curious", "look");
        Reply yes = live.admin.post("/api/v1/tools/validate", Client.call("ask-1", "curious", "look", "{}"));
        assertThat(yes.status()).as(yes.text()).isEqualTo(200);
        same(yes, "{\"status\": \"allowed\", \"request_id\": \"ask-1\", \"logged\": false}");

        Reply no = live.admin.post("/api/v1/tools/validate", Client.call("ask-2", "curious", "note", "{}"));
        assertThat(no.status()).as(no.text()).isEqualTo(200);
        same(no, """
                {"status": "denied", "request_id": "ask-2",
                 "reason": "Agent 'curious' not permitted to use tool 'note'",
                 "violation_type": "permission_denied", "allowed_tools": ["look"],
                 "suggestion": "Use one of the allowed tools, ask an operator to grant 'note' to agent 'curious', or use an agent that has it.",
                 "logged": false}""");
        assertThat(recordsOf("curious")).isEmpty();
    }

    @Test
    void a_revoked_grant_no_longer_applies() {
        live.admin.grant("former", "look", "note");
        assertThat(live.admin.permissions("former").json()).isEqualTo(Json.MAPPER.readTree("[\"look\", \"note\"]"));
        assertThat(live.admin.execute("former-1", "former", "note", "{}").status())
                .isEqualTo(200);

        live.admin.revoke("former", "note");
        assertThat(live.admin.permissions("former").text()).isEqualTo("[\"look\"]");
        int before = live.note.runs();
        assertThat(live.admin.execute("former-2", "former", "note", "{}").status())
                .isEqualTo(403);
        assertThat(live.note.runs()).isEqualTo(before);
        assertThat(live.admin.execute("former-3", "former", "look", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void a_grant_with_a_number_of_uses_is_exhausted() {
        Client.expect(
                200,
                live.admin.send(
                        "PUT",
                        "/api/v1/permissions/counted/look",
                        BodyPublishers.ofString("{\"allowed\": true, \"max_uses\": 2}")));
        assertThat(live.admin.execute("counted-1", "counted", "look", "{}").status())
                .isEqualTo(200);
        assertThat(live.admin.execute("counted-2", "counted", "look", "{}").status())
                .isEqualTo(200);
        assertThat(live.admin.execute("counted-3", "counted", "look", "{}").status())
                .isEqualTo(403);
        assertThat(live.admin.permissions("counted").text()).isEqualTo("[]");
    }

    @Test
    void a_repeated_request_gets_the_first_answer_a_different_one_a_conflict() {
        live.admin.grant("again", "note", "look");
        Reply first = live.admin.execute("again-1", "again", "note", "{}");
        int runs = live.note.runs();
        Reply second = live.admin.execute("again-1", "again", "note", "{}");
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(live.note.runs()).isEqualTo(runs);
        assertThat(recordsOf("again")).hasSize(1);

        Reply other = live.admin.execute("again-1", "again", "look", "{}");
        assertThat(other.status()).as(other.text()).isEqualTo(409);
        assertThat(other.error().path("code").asString()).isEqualTo("REQUEST_ID_TAKEN");
    }

    @Test
    void an_agents_key_is_valid_for_that_agent_only() {
        live.admin.grant("own", "look");
        Client own = live.admin.with(
                live.trial.key(TrialDatabase.FIRST, "agent", "own").text());
        assertThat(own.execute("own-1", "own", "look", "{}").status()).isEqualTo(200);
        Reply other = own.execute("own-2", "test_agent", "look", "{}");
        assertThat(other.status()).as(other.text()).isEqualTo(403);
        assertThat(other.json().path("allowed_tools").toString()).isEqualTo("[\"look\"]");
        assertThat(other.logged()).isTrue();
        assertThat(own.permissions("test_agent").status()).isEqualTo(403);
        assertThat(live.admin.with("tg_" + UUID.randomUUID()).permissions("own").status())
                .isEqualTo(401);
    }

    @Test
    void the_chain_of_all_records_is_intact() {
        live.admin.grant("chained", "look");
        live.admin.execute("chained-1", "chained", "look", "{}");
        assertThat(live.trial.audit().verify().faults()).isEmpty();
        assertThat(live.trial.count("SELECT count(*) FROM tool_intents")).isZero();
    }

    /** Oldest first. */
    private static List<JsonNode> recordsOf(String agent) {
        Reply reply = live.admin.get("/api/v1/audit/logs?agent_id=" + agent);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json()
                .valueStream()
                .sorted(Comparator.comparingLong(record -> record.path("id").asLong()))
                .toList();
    }

    private static void same(Reply reply, String expected) {
        assertThat(reply.json()).isEqualTo(Json.MAPPER.readTree(expected));
    }
}
