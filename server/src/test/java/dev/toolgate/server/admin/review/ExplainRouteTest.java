package dev.toolgate.server.admin.review;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ExplainRouteTest {
    private static final String EXPLAIN = "/api/v1/permissions/explain";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client auditor;
    private static Client operator;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        auditor = server.as(FIRST, Role.AUDITOR);
        operator = server.as(FIRST, Role.OPERATOR);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static JsonNode explained(String fields) {
        Reply reply = auditor.post(EXPLAIN, "{" + fields + "}");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json();
    }

    private static String rule(JsonNode explained, String name) {
        return explained
                .path("rules")
                .valueStream()
                .filter(rule -> rule.path("rule").asString().equals(name))
                .map(rule -> rule.path("decision").asString())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void it_says_what_each_rule_decides() {
        operator.put("/api/v1/permissions/ann/file_list", "{\"allowed\": true, \"condition\": \"params.path == '.'\"}");

        JsonNode good = explained("""
                "agent_id": "ann", "tool_name": "file_list", "parameters": {"path": "."}, "trust_level": "supervised\"""");
        assertThat(good.path("decision").asString()).isEqualTo("needs_approval");
        assertThat(rule(good, "grants")).isEqualTo("allowed");
        assertThat(rule(good, "session")).isEqualTo("allowed");
        assertThat(rule(good, "scope")).isEqualTo("allowed");
        assertThat(rule(good, "trust")).isEqualTo("needs_approval");

        JsonNode bad =
                explained("\"agent_id\": \"ann\", \"tool_name\": \"file_list\", \"parameters\": {\"path\": \"x\"}");
        assertThat(bad.path("decision").asString()).isEqualTo("denied");
        assertThat(bad.path("reason").asString()).contains("its condition is not met");
        assertThat(explained("\"agent_id\": \"nobody\", \"tool_name\": \"file_list\"")
                        .path("code")
                        .asString())
                .isEqualTo("PERMISSION_DENIED");
    }

    @Test
    void it_says_why_a_permitted_call_would_fail() {
        operator.put("/api/v1/permissions/bea/file_read", "{\"allowed\": true, \"requires_approval\": true}");
        operator.put("/api/v1/permissions/bea/no_such_tool", "{\"allowed\": true}");

        JsonNode wrong = explained("\"agent_id\": \"bea\", \"tool_name\": \"ReadFile\", \"parameters\": {\"paht\": 1}");
        assertThat(wrong.path("decision").asString()).isEqualTo("needs_approval");
        assertThat(wrong.path("tool_name").asString()).isEqualTo("file_read");
        assertThat(wrong.at("/problem/code").asString()).isEqualTo("INVALID_REQUEST");
        JsonNode unknown = explained("\"agent_id\": \"bea\", \"tool_name\": \"no_such_tool\"");
        assertThat(unknown.path("tool_exists").asBoolean()).isFalse();
        assertThat(unknown.at("/problem/code").asString()).isEqualTo("TOOL_NOT_FOUND");
    }

    @Test
    void the_policy_of_a_session_is_among_the_rules() {
        operator.put("/api/v1/permissions/cai/file_list", "{\"allowed\": true}");
        PolicySession.of("chores", "cai", "").startedBy(operator);

        JsonNode inside = explained("\"agent_id\": \"cai\", \"tool_name\": \"file_list\", \"session_id\": \"chores\"");
        assertThat(rule(inside, "grants")).isEqualTo("allowed");
        assertThat(rule(inside, "session")).isEqualTo("denied");
        JsonNode elsewhere =
                explained("\"agent_id\": \"dan\", \"tool_name\": \"file_list\", \"session_id\": \"chores\"");
        assertThat(rule(elsewhere, "admission")).isEqualTo("denied");
        assertThat(elsewhere.path("code").asString()).isEqualTo("SESSION_NOT_FOUND");
    }

    @Test
    void nothing_is_run_spent_held_or_recorded() {
        operator.put("/api/v1/permissions/eli/file_delete", """
                {"allowed": true, "requires_approval": true, "max_uses": 1}""");
        Map<String, List<String>> before = rows();

        for (int i = 0; i < 3; i++) {
            assertThat(explained(
                                    "\"agent_id\": \"eli\", \"tool_name\": \"file_delete\", \"parameters\": {\"path\": \"a\"}")
                            .path("decision")
                            .asString())
                    .isEqualTo("needs_approval");
        }

        assertThat(rows()).isEqualTo(before);
    }

    private static Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new TreeMap<>(server.rowsOf(FIRST));
        rows.remove("api_keys");
        return rows;
    }

    @Test
    void permissions_of_another_tenant_are_not_revealed() {
        operator.put("/api/v1/permissions/fay/file_list", "{\"allowed\": true}");
        PolicySession.of("mine", "fay", "").startedBy(operator);
        Client other = server.as(ACME, Role.ADMIN);

        String call = "{\"agent_id\": \"fay\", \"tool_name\": \"file_list\"}";
        assertThat(other.post(EXPLAIN, call).json().path("decision").asString()).isEqualTo("denied");
        JsonNode session = other.post(
                        EXPLAIN, "{\"agent_id\": \"fay\", \"tool_name\": \"file_list\", \"session_id\": \"mine\"}")
                .json();
        assertThat(session.path("code").asString()).isEqualTo("SESSION_NOT_FOUND");
        assertThat(server.as(FIRST, Role.AGENT).post(EXPLAIN, call).status()).isEqualTo(403);
    }
}
