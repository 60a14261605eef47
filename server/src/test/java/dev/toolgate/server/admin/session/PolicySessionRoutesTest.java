package dev.toolgate.server.admin.session;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PolicySessionRoutesTest {
    private static final String MAY_SAY = "{\"name\": \"Say.Something\"}";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(Output::text));
        agent = server.as(FIRST, Role.AGENT);
        for (String id : List.of("agent_1", "agent_2")) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + id + "\"}");
            server.admin().put("/api/v1/permissions/" + id + "/say", "{\"allowed\": true}");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_session_is_started_shown_and_ended() {
        Reply made = PolicySession.of("whole", "agent_1", MAY_SAY).startedBy(server.as(FIRST, Role.OPERATOR));

        assertThat(made.header("Location")).contains("/api/v1/sessions/whole");
        assertThat(made.json().path("status").asString()).isEqualTo("active");
        assertThat(made.json().path("created_by").asString()).startsWith("key:");
        assertThat(server.admin().get("/api/v1/sessions/whole").json()).isEqualTo(made.json());
        assertThat(ids(server.admin())).contains("whole");

        assertThat(said("whole")).isEqualTo("succeeded");
        assertThat(server.admin().delete("/api/v1/sessions/whole").status()).isEqualTo(204);
        assertThat(said("whole")).isEqualTo("SESSION_EXPIRED");
        assertThat(server.admin().delete("/api/v1/sessions/whole").status()).isEqualTo(404);
        JsonNode ended = server.admin().get("/api/v1/sessions/whole").json();
        assertThat(ended.path("status").asString()).isEqualTo("ended");
        assertThat(ended.has("ended_at")).isTrue();
    }

    @Test
    void an_id_is_used_once_even_after_its_session_has_ended() {
        PolicySession session = PolicySession.of("once", "agent_1", MAY_SAY);
        session.startedBy(server.admin());
        server.admin().delete("/api/v1/sessions/once");

        assertThat(server.admin().post("/api/v1/sessions", session.json()).status())
                .isEqualTo(409);
        assertThat(said("once")).isEqualTo("SESSION_EXPIRED");
    }

    @ParameterizedTest
    @CsvSource({
        "\"tenantId\": \"default\", \"tenantId\": \"acme\", POLICY_BUNDLE_INVALID",
        "\"schemaVersion\": \"1.0\", \"schemaVersion\": \"2.0\", POLICY_BUNDLE_INVALID",
        "2099-01-01T00:00:00Z, 2020-01-01T00:00:00Z, POLICY_EXPIRED",
        "2099-01-01T00:00:00Z, soon, POLICY_BUNDLE_INVALID",
        "\"userId\": \"ada\", \"colour\": \"red\", POLICY_BUNDLE_INVALID",
        "{\"name\": \"Say.Something\"}, {}, POLICY_BUNDLE_INVALID",
        "\"sessionId\": \"bad\", \"sessionId\": \"\", POLICY_BUNDLE_INVALID",
        "\"agent_id\": \"agent_1\", \"agent_id\": \"nobody\", INVALID_REQUEST"
    })
    void an_invalid_bundle_starts_no_session(String part, String instead, String code) {
        String good = PolicySession.of("bad", "agent_1", MAY_SAY).json();
        assertThat(good).contains(part);

        Reply reply = server.admin().post("/api/v1/sessions", good.replace(part, instead));

        assertThat(reply.errorCode()).as(reply.toString()).isEqualTo(code);
        assertThat(server.admin().get("/api/v1/sessions/bad").status()).isEqualTo(404);
    }

    @Test
    void calls_in_an_expired_session_are_refused() {
        PolicySession.of("short", "agent_1", MAY_SAY).startedBy(server.admin());
        server.database().jdbi().useHandle(handle -> handle.execute("""
                UPDATE sessions SET policy_bundle = jsonb_set(policy_bundle, '{expiresAt}', '"2020-01-01T00:00:00Z"')
                WHERE session_id = 'short'"""));

        assertThat(said("short")).isEqualTo("POLICY_EXPIRED");
        assertThat(server.admin()
                        .get("/api/v1/sessions/short")
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("expired");
    }

    @Test
    void agents_cannot_start_sessions_and_see_and_end_only_their_own() {
        PolicySession.of("mine", "agent_1", MAY_SAY).startedBy(server.admin());
        PolicySession.of("theirs", "agent_2", MAY_SAY).startedBy(server.admin());

        assertThat(agent.post(
                                "/api/v1/sessions",
                                PolicySession.of("own", "agent_1", MAY_SAY).json())
                        .status())
                .isEqualTo(403);
        assertThat(ids(agent)).contains("mine").doesNotContain("theirs");
        assertThat(agent.get("/api/v1/sessions/mine").status()).isEqualTo(200);
        assertThat(agent.get("/api/v1/sessions/theirs").status()).isEqualTo(404);
        assertThat(agent.delete("/api/v1/sessions/theirs").text().replace("theirs", "x"))
                .satisfies(told -> assertThat(withoutId(told))
                        .isEqualTo(withoutId(agent.delete("/api/v1/sessions/x").text())));
        assertThat(server.admin()
                        .get("/api/v1/sessions/theirs")
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("active");
        assertThat(agent.delete("/api/v1/sessions/mine").status()).isEqualTo(204);
        assertThat(server.as(FIRST, Role.AUDITOR)
                        .delete("/api/v1/sessions/theirs")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_session_grants_nothing_beyond_the_agents_grants() {
        PolicySession.of("wide", "agent_1", "{\"name\": \"Shell.Exec\"}").startedBy(server.admin());
        Reply reply = agent.post("/tools/bash/invoke", """
                {"sessionId": "wide", "taskId": "t", "stepId": "s", "toolName": "bash", "arguments": {"command": "id"}}""");

        assertThat(reply.errorCode()).isEqualTo("PERMISSION_DENIED");
    }

    @Test
    void deleting_an_agent_deletes_its_sessions() {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"brief\"}");
        PolicySession.of("brief", "brief", MAY_SAY).startedBy(server.admin());
        server.admin().delete("/api/v1/agents/brief");

        assertThat(server.admin().get("/api/v1/sessions/brief").status()).isEqualTo(404);
    }

    @Test
    void credentials_of_mcp_servers_are_never_shown() {
        String wanted = PolicySession.of("mcp", "agent_1", MAY_SAY)
                .json()
                .replace(
                        "\"capabilities\"",
                        "\"mcpServers\": [{\"name\": \"m\", \"url\": \"https://m\", \"auth\": {\"token\": \"PLANTED\"}}],"
                                + " \"capabilities\"");

        Reply made = server.admin().post("/api/v1/sessions", wanted);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        assertThat(made.text()
                        + server.admin().get("/api/v1/sessions/mcp")
                        + server.admin().get("/api/v1/sessions"))
                .contains("https://m")
                .doesNotContain("PLANTED");
    }

    @Test
    void another_tenant_has_sessions_of_its_own() {
        PolicySession.of("shared", "agent_1", MAY_SAY).startedBy(server.admin());
        Client other = server.as(ACME, Role.ADMIN);
        other.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");

        assertThat(other.get("/api/v1/sessions/shared").status()).isEqualTo(404);
        assertThat(other.delete("/api/v1/sessions/shared").status()).isEqualTo(404);
        assertThat(ids(other)).doesNotContain("shared");
        PolicySession.of("shared", "agent_1", MAY_SAY).ofTenant("acme").startedBy(other);
        other.delete("/api/v1/sessions/shared");
        assertThat(said("shared")).isEqualTo("succeeded");
        assertThat(server.withKey(server.key(ACME, Role.AGENT, new AgentId("agent_1")))
                        .get("/api/v1/sessions")
                        .each("status"))
                .containsExactly("ended");
    }

    /** The result of a call in a session: succeeded, or the error code. */
    private static String said(String session) {
        JsonNode result =
                agent.post("/tools/say/invoke", """
                {"sessionId": "%s", "taskId": "t", "stepId": "s", "toolName": "say", "arguments": {"text": "x"}}""".formatted(session)).json();
        return result.path("status").asString().equals("succeeded")
                ? "succeeded"
                : result.path("error").path("code").asString();
    }

    private static List<String> ids(Client client) {
        return client.get("/api/v1/sessions?limit=500").each("session_id");
    }

    private static String withoutId(String error) {
        return error.replaceAll("\"correlation_id\":\"[^\"]*\"", "");
    }
}
