package dev.toolgate.server.admin;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.store.audit.rollup.AuditRollup;
import dev.toolgate.store.identity.People;
import dev.toolgate.store.identity.StoredPerson;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantIsolationTest {
    /** Planted in every resource of the victim. */
    private static final String SECRET = "hush-7f3a";

    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("POST /api/v1/agents", "{\"agent_id\": \"alice\", \"name\": \"taken over\"}"),
            Map.entry("PATCH /api/v1/agents/{agent_id}", "{\"name\": \"taken over\"}"),
            Map.entry("POST /api/v1/agents/{agent_id}/template", "{\"template\": \"full-access\"}"),
            Map.entry("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": false}"),
            Map.entry("POST /api/v1/permissions/bulk", """
                    {"changes": [{"agent_id": "alice", "tool_name": "file_read", "clear": true},
                                 {"agent_id": "alice", "tool_name": "bash", "allowed": true}]}"""),
            Map.entry(
                    "POST /api/v1/permissions/explain",
                    "{\"agent_id\": \"alice\", \"tool_name\": \"file_read\", \"session_id\": \"talk\"}"),
            Map.entry("POST /api/v1/permissions/simulate", """
                    {"changes": [{"agent_id": "alice", "tool_name": "file_read", "clear": true}]}"""),
            Map.entry("POST /api/v1/conditions/check", "{\"condition\": \"agent == 'alice'\"}"),
            Map.entry("POST /api/v1/groups", "{\"group_id\": \"team\", \"description\": \"taken over\"}"),
            Map.entry("PATCH /api/v1/groups/{group_id}", "{\"description\": \"taken over\"}"),
            Map.entry("PUT /api/v1/groups/{group_id}/members/{agent_id}", "{}"),
            Map.entry("PUT /api/v1/groups/{group_id}/permissions/{tool_name}", "{\"allowed\": false}"),
            Map.entry("POST /api/v1/keys/{key_id}/rotate", "{\"overlap\": \"0s\"}"),
            Map.entry("POST /api/v1/keys", "{\"role\": \"agent\", \"agent_id\": \"alice\"}"),
            Map.entry("POST /api/v1/approvals/{approval_id}", "{\"approved\": true}"),
            Map.entry("POST /api/v1/tenants", "{\"tenant_id\": \"VICTIM\", \"name\": \"taken over\"}"),
            Map.entry(
                    "POST /api/v1/sessions",
                    PolicySession.of("talk", "alice", "").ofTenant("VICTIM").json()),
            Map.entry("POST /api/v1/providers/{provider}/credentials", "{}"),
            Map.entry(
                    "POST /api/v1/mcp/servers",
                    "{\"name\": \"wiki\", \"url\": \"https://mcp.example.com/\", \"enabled\": false}"),
            Map.entry("PATCH /api/v1/mcp/servers/{server_name}", "{\"capability\": \"taken over\"}"),
            Map.entry("POST /api/v1/mcp/servers/{server_name}/refresh", "{}"),
            Map.entry("POST /api/v1/mcp/servers/{server_name}/account", "{\"agent_id\": \"alice\"}"),
            Map.entry(
                    "POST /api/v1/mcp/servers/{server_name}/tools/{mcp_tool}",
                    "{\"agreed\": true, \"hash\": \"" + "0".repeat(64) + "\"}"),
            Map.entry(
                    "PUT /api/v1/tools/external/{external_tool}",
                    "{\"description\": \"taken over\", \"input_schema\": {\"type\": \"object\"}}"),
            Map.entry("POST /api/v1/console/session", "{\"key\": \"KEY\"}"));

    @TempDir
    private Path home;

    private RunningServer server;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "acme"})
    void keys_of_another_tenant_see_and_change_nothing(String victimId) {
        TenantId victim = new TenantId(victimId);
        TenantId attacker = victim.equals(FIRST) ? ACME : FIRST;
        Client owner = server.as(victim, Role.ADMIN);
        Map<String, String> ids = createResources(owner, victimId);
        new AuditRollup(server.database().jdbi()).rebuild(); // otherwise it could happen during the test
        Map<String, List<String>> before = server.rowsOf(victim);
        assertThat(before.toString()).contains(SECRET);

        List<String> done = new ArrayList<>();
        for (Route route : AdministrationPaths.of(server)) {
            for (Role role : Role.values()) {
                String key = server.key(attacker, role, role == Role.AGENT ? new AgentId("alice") : null);
                String body = BODIES.get(AdministrationPaths.name(route));
                Reply reply = server.withKey(key)
                        .send(
                                route.method().name(),
                                AdministrationPaths.path(route, ids),
                                body == null
                                        ? null
                                        : body.replace("VICTIM", victimId).replace("KEY", key));
                assertThat(reply.text()).as("%s as %s", route.path(), role).doesNotContain(SECRET);
                assertThat(reply.status())
                        .as("%s as %s: %s", route.path(), role, reply)
                        .isLessThan(500);
                if (reply.status() < 300 && body != null) {
                    done.add(AdministrationPaths.name(route));
                }
            }
        }

        assertThat(server.rowsOf(victim)).isEqualTo(before);
        assertThat(done)
                .as("the requests were valid and succeeded in the attacker's own tenant")
                .contains(
                        "POST /api/v1/keys",
                        "POST /api/v1/permissions/bulk",
                        "PUT /api/v1/permissions/{agent_id}/{tool_name}");
        assertThat(owner.get("/api/v1/tools/permissions/alice").text()).isEqualTo("[\"file_read\",\"file_write\"]");
        assertThat(owner.get("/api/v1/keys/" + ids.get("key_id"))
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("usable");
    }

    private Map<String, String> createResources(Client owner, String tenant) {
        StoredPerson person = new People(server.database().jdbi())
                .loggedIn(new TenantId(tenant), "https://login.example.com", SECRET, SECRET, SECRET, Instant.now());
        String terms = "{\"allowed\": true, \"notes\": \"%s\", \"reason\": \"%s\"}".formatted(SECRET, SECRET);
        made(owner.post("/api/v1/agents", """
                {"agent_id": "alice", "name": "%s", "description": "%s", "reason": "%s"}""".formatted(SECRET, SECRET, SECRET)));
        made(owner.put("/api/v1/permissions/alice/file_read", terms));
        made(owner.post("/api/v1/groups", "{\"group_id\": \"team\", \"description\": \"%s\"}".formatted(SECRET)));
        made(owner.put("/api/v1/groups/team/members/alice?reason=" + SECRET));
        made(owner.put("/api/v1/groups/team/permissions/file_write", terms));
        Reply key = owner.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"%s\"}".formatted(SECRET));
        made(key);
        PolicySession talk = PolicySession.of("talk", "alice", "{\"name\": \"" + SECRET + "\"}");
        talk.ofTenant(tenant).startedBy(owner);
        made(owner.post("/api/v1/mcp/servers", """
                {"name": "wiki", "url": "https://mcp.example.com/%s", "enabled": false}""".formatted(SECRET)));
        made(owner.put("/api/v1/tools/external/deploy", """
                {"description": "%s", "input_schema": {"type": "object"}}""".formatted(SECRET)));
        Reply artifact = owner.upload(
                "/workspaces/desk/artifacts?name=" + SECRET + ".txt", "text/plain", BodyPublishers.ofString(SECRET));
        made(artifact);
        made(owner.put("/api/v1/permissions/holder/file_list", "{\"allowed\": true, \"requires_approval\": true}"));
        Reply held = owner.with("Prefer", "respond-async").post("/api/v1/tools/execute", """
                {"request_id": "held", "agent_id": "holder", "tool_name": "file_list", "operation": "list",
                 "parameters": {"path": "%s"}}""".formatted(SECRET));
        made(held);
        return Map.ofEntries(
                Map.entry("session_id", "talk"),
                Map.entry("workspace_id", "desk"),
                Map.entry("artifact_id", artifact.json().path("id").asString()),
                Map.entry("approval_id", held.json().path("approval_id").asString()),
                Map.entry("standing_id", UUID.randomUUID().toString()),
                Map.entry("request_id", "held"),
                Map.entry("agent_id", "alice"),
                Map.entry("group_id", "team"),
                Map.entry("tool_name", "file_read"),
                Map.entry("key_id", key.json().path("key_id").asString()),
                Map.entry("server_name", "wiki"),
                Map.entry("mcp_tool", "read"),
                Map.entry("external_tool", "deploy"),
                Map.entry("person_id", person.id().toString()),
                Map.entry("account_id", UUID.randomUUID().toString()),
                Map.entry("provider", "nobody"));
    }

    private static void made(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }
}
