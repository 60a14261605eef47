package dev.toolgate.server.admin;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.http.routing.Method;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolesTest {
    private static final String READERS = "admin operator auditor orchestrator";
    private static final String CHANGERS = "admin operator";
    private static final String COLLECTORS = "admin operator orchestrator agent";
    private static final String ADMINS = "admin";
    private static final String EVERYBODY = "admin operator auditor orchestrator agent user";

    private static final String USERS_OF_MODELS = "admin orchestrator agent user";
    private static final String USERS_OF_TOOLS = "admin orchestrator agent";
    private static final String ANSWERERS = "admin operator user";
    private static final String AUDITORS = "admin operator auditor";
    private static final String WHOLE_AUDITORS = "admin auditor";
    private static final String READERS_OF_ARTIFACTS = "admin operator orchestrator agent user";
    private static final String ALL_BUT_AUDITORS = "admin operator orchestrator agent";

    /** Bodies of calls as agent_1, which has no grants: only the reason of a 403 shows whether the role was refused. */
    private static final Map<String, String> CALLS = Map.of(
            "POST /api/v1/tools/execute",
            """
            {"request_id": "r", "agent_id": "agent_1", "tool_name": "bash", "operation": "o", "parameters": {}}""",
            "POST /api/v1/tools/authorize",
            """
            {"request_id": "p", "agent_id": "agent_1", "tool_name": "deploy", "operation": "o", "parameters": {}}""",
            "POST /hooks/claude-code",
            """
            {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {},
             "tool_use_id": "t"}""",
            "POST /hooks/codex",
            """
            {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {},
             "tool_use_id": "u"}""",
            "POST /hooks/cursor",
            """
            {"conversation_id": "c", "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {},
             "tool_use_id": "v"}""",
            "POST /api/v1/tools/validate",
            """
            {"agent_id": "agent_1", "tool_name": "bash", "operation": "o", "parameters": {}}""",
            "POST /access/v1/evaluation",
            """
            {"subject": {"type": "agent", "id": "agent_1"}, "action": {"name": "o"},
             "resource": {"type": "tool", "id": "bash"}}""",
            "GET /tools",
            "",
            "POST /execute-tool",
            """
            {"tool": "bash", "args": {}, "correlationId": "c"}""",
            "POST /tools/{tool_name}/invoke",
            """
            {"sessionId": "of agent_1", "taskId": "t", "stepId": "s", "workspaceId": "w", "toolName": "nothing",
             "arguments": {}}""");

    private static final Map<String, String> WHO_MAY = Map.ofEntries(
            Map.entry("POST /api/v1/tools/execute", USERS_OF_TOOLS),
            Map.entry("POST /access/v1/evaluation", USERS_OF_TOOLS),
            Map.entry("POST /api/v1/tools/authorize", USERS_OF_TOOLS),
            Map.entry("POST /api/v1/calls/{request_id}/outcome", USERS_OF_TOOLS),
            Map.entry("POST /hooks/claude-code", USERS_OF_TOOLS),
            Map.entry("POST /hooks/codex", USERS_OF_TOOLS),
            Map.entry("POST /hooks/cursor", USERS_OF_TOOLS),
            Map.entry("GET /api/v1/tools/external", READERS),
            Map.entry("GET /api/v1/tools/external/{external_tool}", READERS),
            Map.entry("PUT /api/v1/tools/external/{external_tool}", CHANGERS),
            Map.entry("DELETE /api/v1/tools/external/{external_tool}", CHANGERS),
            Map.entry("POST /api/v1/tools/validate", USERS_OF_TOOLS),
            Map.entry("GET /tools", USERS_OF_TOOLS),
            Map.entry("POST /execute-tool", USERS_OF_TOOLS),
            Map.entry("POST /tools/{tool_name}/invoke", USERS_OF_TOOLS),
            Map.entry("GET /tools/{tool_name}/invocations/{request_id}", COLLECTORS),
            Map.entry("GET /ws", EVERYBODY),
            Map.entry("POST /mcp", EVERYBODY), // permissions are checked per message
            Map.entry("GET /mcp", EVERYBODY),
            Map.entry("DELETE /mcp", EVERYBODY),
            Map.entry("GET /api/v1/audit/logs", READERS),
            Map.entry("GET /api/v1/audit/logs/{record_id}", READERS),
            // The owner of the record decides; a record that the caller may not see is not found.
            Map.entry("GET /api/v1/audit/logs/{record_id}/undo", EVERYBODY),
            Map.entry("POST /api/v1/audit/logs/{record_id}/undo", EVERYBODY),
            Map.entry("GET /api/v1/audit/histogram", READERS),
            Map.entry("GET /api/v1/audit/facets", READERS),
            Map.entry("POST /api/v1/audit/rollup", ADMINS),
            Map.entry("GET /api/v1/permissions/usage", READERS),
            Map.entry("GET /api/v1/audit/export", AUDITORS),
            Map.entry("GET /api/v1/audit/costs", AUDITORS),
            Map.entry("GET /api/v1/audit/stream", AUDITORS),
            Map.entry("GET /api/v1/audit/chains", WHOLE_AUDITORS),
            Map.entry("GET /api/v1/audit/checkpoints", WHOLE_AUDITORS),
            Map.entry("GET /api/v1/audit/verify", WHOLE_AUDITORS),
            Map.entry("GET /metrics", WHOLE_AUDITORS),
            Map.entry("GET /api/v1/approvals/stream", EVERYBODY),
            Map.entry("GET /api/v1/console/events", EVERYBODY),
            Map.entry("GET /health", EVERYBODY),
            Map.entry("GET /health/live", EVERYBODY),
            Map.entry("GET /health/ready", EVERYBODY),
            Map.entry("GET /openapi.json", EVERYBODY),
            Map.entry("GET /openapi.yaml", EVERYBODY),
            Map.entry("GET /docs", EVERYBODY),
            Map.entry("GET /", EVERYBODY),
            Map.entry("GET /console", EVERYBODY),
            Map.entry("GET /console/{page}", EVERYBODY),
            Map.entry("GET /console/{page}/{name}", EVERYBODY),
            Map.entry("GET /console/assets/{file}", EVERYBODY),
            Map.entry("POST /workspaces/{workspace_id}/artifacts", ALL_BUT_AUDITORS),
            Map.entry("GET /workspaces/{workspace_id}/artifacts", EVERYBODY),
            Map.entry("GET /workspaces/{workspace_id}/artifacts/{artifact_id}", READERS_OF_ARTIFACTS),
            Map.entry("DELETE /workspaces/{workspace_id}/artifacts/{artifact_id}", ALL_BUT_AUDITORS),
            Map.entry("GET /api/v1/approvals", EVERYBODY),
            Map.entry("GET /api/v1/approvals/{approval_id}", EVERYBODY),
            Map.entry("POST /api/v1/approvals/{approval_id}", ANSWERERS),
            Map.entry("GET /api/v1/approvals/standing", READERS),
            Map.entry("DELETE /api/v1/approvals/standing/{standing_id}", CHANGERS),
            Map.entry("GET /api/v1/calls/{request_id}", COLLECTORS),
            Map.entry("GET /api/v1/agents", READERS),
            Map.entry("POST /api/v1/agents", CHANGERS),
            Map.entry("GET /api/v1/agents/{agent_id}", READERS),
            Map.entry("PATCH /api/v1/agents/{agent_id}", CHANGERS),
            Map.entry("DELETE /api/v1/agents/{agent_id}", CHANGERS),
            Map.entry("POST /api/v1/agents/{agent_id}/template", CHANGERS),
            Map.entry("GET /api/v1/permissions", READERS),
            Map.entry("GET /api/v1/permissions/matrix", READERS),
            Map.entry("POST /api/v1/permissions/explain", READERS),
            Map.entry("POST /api/v1/permissions/simulate", READERS),
            Map.entry("GET /api/v1/permissions/proposals", READERS),
            Map.entry("POST /api/v1/conditions/check", READERS),
            Map.entry("GET /api/v1/permissions/{agent_id}", READERS),
            Map.entry("GET /api/v1/agents/{agent_id}/permissions", READERS),
            Map.entry("PUT /api/v1/permissions/{agent_id}/{tool_name}", CHANGERS),
            Map.entry("DELETE /api/v1/permissions/{agent_id}/{tool_name}", CHANGERS),
            Map.entry("POST /api/v1/permissions/bulk", CHANGERS),
            Map.entry("GET /api/v1/permissions/changes", READERS),
            Map.entry("GET /api/v1/templates", READERS),
            Map.entry("GET /api/v1/groups", READERS),
            Map.entry("POST /api/v1/groups", CHANGERS),
            Map.entry("GET /api/v1/groups/{group_id}", READERS),
            Map.entry("PATCH /api/v1/groups/{group_id}", CHANGERS),
            Map.entry("DELETE /api/v1/groups/{group_id}", CHANGERS),
            Map.entry("PUT /api/v1/groups/{group_id}/members/{agent_id}", CHANGERS),
            Map.entry("DELETE /api/v1/groups/{group_id}/members/{agent_id}", CHANGERS),
            Map.entry("PUT /api/v1/groups/{group_id}/permissions/{tool_name}", CHANGERS),
            Map.entry("DELETE /api/v1/groups/{group_id}/permissions/{tool_name}", CHANGERS),
            Map.entry("GET /api/v1/keys", ADMINS),
            Map.entry("POST /api/v1/keys", ADMINS),
            Map.entry("GET /api/v1/keys/{key_id}", ADMINS),
            Map.entry("DELETE /api/v1/keys/{key_id}", ADMINS),
            Map.entry("POST /api/v1/keys/{key_id}/rotate", ADMINS),
            Map.entry("GET /api/v1/mcp/servers", READERS),
            Map.entry("POST /api/v1/mcp/servers", ADMINS),
            Map.entry("GET /api/v1/mcp/servers/{server_name}", READERS),
            Map.entry("PATCH /api/v1/mcp/servers/{server_name}", ADMINS),
            Map.entry("DELETE /api/v1/mcp/servers/{server_name}", ADMINS),
            Map.entry("POST /api/v1/mcp/servers/{server_name}/refresh", ADMINS),
            Map.entry("GET /api/v1/mcp/servers/{server_name}/tools/{mcp_tool}", READERS),
            Map.entry("POST /api/v1/mcp/servers/{server_name}/tools/{mcp_tool}", ADMINS),
            Map.entry("POST /api/v1/mcp/servers/{server_name}/account", EVERYBODY), // the account decides further
            Map.entry("GET /api/v1/mcp/accounts", EVERYBODY),
            Map.entry("DELETE /api/v1/mcp/accounts/{account_id}", EVERYBODY),
            Map.entry("GET /connect/mcp/{server_name}", EVERYBODY),
            Map.entry("GET /connect/callback", EVERYBODY),
            Map.entry("GET /connect/callback/{issuer_hash}", EVERYBODY),
            Map.entry("GET /connect/client.json", EVERYBODY),
            Map.entry("GET /connect/client/{issuer_hash}", EVERYBODY),
            Map.entry("GET /api/v1/people", ADMINS),
            Map.entry("DELETE /api/v1/people/{person_id}/sessions", ADMINS),
            Map.entry("GET /api/v1/console/sign-on", EVERYBODY),
            Map.entry("GET /auth/oidc/login", EVERYBODY),
            Map.entry("GET /auth/oidc/callback", EVERYBODY),
            Map.entry("GET /api/v1/tenants", ADMINS),
            Map.entry("POST /api/v1/tenants", ADMINS),
            Map.entry("POST /api/v1/console/session", EVERYBODY),
            Map.entry("GET /api/v1/console/session", EVERYBODY),
            Map.entry("DELETE /api/v1/console/session", EVERYBODY),
            Map.entry("GET /api/v1/sessions", EVERYBODY),
            Map.entry("POST /api/v1/sessions", "admin operator orchestrator"),
            Map.entry("GET /api/v1/sessions/{session_id}", EVERYBODY),
            Map.entry("GET /api/v1/sessions/{session_id}/changes", EVERYBODY),
            Map.entry("DELETE /api/v1/sessions/{session_id}", "admin operator orchestrator agent"),
            Map.entry("GET /api/v1/whoami", EVERYBODY),
            Map.entry("GET /api/v1/providers", USERS_OF_MODELS),
            Map.entry("GET /api/v1/providers/{provider}/models", USERS_OF_MODELS),
            Map.entry("POST /api/v1/providers/{provider}/credentials", USERS_OF_MODELS),
            Map.entry("GET /api/v1/tools", EVERYBODY),
            Map.entry("GET /api/v1/tools/permissions/{agent_id}", READERS));

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        server.admin().post("/api/v1/sessions", """
                {"agent_id": "agent_1", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                 "tenantId": "default", "userId": "ada", "sessionId": "of agent_1",
                 "expiresAt": "2099-01-01T00:00:00Z", "capabilities": []}}""");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void every_route_declares_who_may_use_it() {
        assertThat(server.routes().stream().map(AdministrationPaths::name))
                .containsExactlyInAnyOrderElementsOf(WHO_MAY.keySet());
    }

    @Test
    void every_role_may_use_its_routes_and_no_others() {
        for (Route route : server.routes()) {
            String may = WHO_MAY.get(AdministrationPaths.name(route));
            assertThat(Arrays.stream(Role.values())
                            .filter(role -> !isForbidden(route, role))
                            .map(Role::wireName)
                            .collect(Collectors.joining(" ")))
                    .as(AdministrationPaths.name(route))
                    .isEqualTo(may);
        }
    }

    private static boolean isForbidden(Route route, Role role) {
        Client client = server.as(FIRST, role);
        if (route.path().text().endsWith("/stream") || route.path().text().endsWith("/events")) {
            return opening(client, route) == 403;
        }
        Reply reply = client.with("X-Agent-ID", "agent_1").send(route.method().name(), nowhere(route), body(route));
        assertThat(reply.status())
                .as("%s %s: %s", role, route.path(), reply)
                .isNotEqualTo(401)
                .isLessThan(500);
        if (CALLS.containsKey(AdministrationPaths.name(route))) {
            return reply.text().contains("may not act for agent"); // agent hosts get a 200 with a denied result
        }
        if (reply.status() == 403) {
            assertThat(reply.errorCode()).isEqualTo("PERMISSION_DENIED");
        }
        return reply.status() == 403;
    }

    /** The status of a stream, which would never end. */
    private static int opening(Client client, Route route) {
        HttpRequest request =
                client.request("GET", nowhere(route), BodyPublishers.noBody()).build();
        try (HttpClient http = HttpClient.newHttpClient();
                InputStream body = send(http, request)) {
            return body == null ? 403 : 200;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static @Nullable InputStream send(HttpClient http, HttpRequest request) throws IOException {
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isIn(200, 403);
            return response.statusCode() == 403 ? null : response.body();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void unauthenticated_requests_are_refused_unless_the_route_is_open() {
        for (Route route : AdministrationPaths.of(server)) {
            Reply reply = server.anonymous().send(route.method().name(), nowhere(route), body(route));
            if (route.access() instanceof RouteAccess.Open) {
                assertThat(route.path().text()).isIn("/api/v1/console/session", "/api/v1/console/sign-on");
            } else {
                assertThat(reply.status()).as(AdministrationPaths.name(route)).isEqualTo(401);
                assertThat(reply.errorCode()).isEqualTo("UNAUTHORIZED");
                assertThat(reply.header("WWW-Authenticate")).contains("Bearer");
            }
        }
    }

    @Test
    void only_admins_of_the_first_tenant_manage_tenants() {
        String tenant = "{\"tenant_id\": \"mine\", \"name\": \"Mine\"}";

        assertThat(server.as(ACME, Role.ADMIN).get("/api/v1/tenants").status()).isEqualTo(403);
        assertThat(server.as(ACME, Role.ADMIN).post("/api/v1/tenants", tenant).status())
                .isEqualTo(403);
        assertThat(server.admin().get("/api/v1/tenants").each("tenant_id")).doesNotContain("mine");
    }

    @Test
    void an_agent_sees_its_own_tools_and_not_those_of_another() {
        assertThat(server.as(FIRST, Role.AGENT)
                        .get("/api/v1/tools/permissions/agent_1")
                        .status())
                .isEqualTo(200);
        assertThat(server.as(FIRST, Role.AGENT)
                        .get("/api/v1/tools/permissions/agent_2")
                        .status())
                .isEqualTo(403);
    }

    // Ids that do not exist, so that no request changes anything.
    private static String nowhere(Route route) {
        return AdministrationPaths.path(
                route,
                Map.ofEntries(
                        Map.entry("agent_id", "nobody"),
                        Map.entry("group_id", "nowhere"),
                        Map.entry("issuer_hash", "0".repeat(32)),
                        Map.entry("session_id", "never"),
                        Map.entry("tool_name", "nothing"),
                        Map.entry("workspace_id", "nowhere"),
                        Map.entry("artifact_id", "art_00000000-0000-0000-0000-000000000000"),
                        Map.entry("approval_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("standing_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("request_id", "nothing"),
                        Map.entry("record_id", "99999999"),
                        Map.entry("key_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("server_name", "nowhere"),
                        Map.entry("mcp_tool", "nothing"),
                        Map.entry("external_tool", "nothing"),
                        Map.entry("account_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("person_id", "00000000-0000-0000-0000-000000000000"),
                        Map.entry("page", "approvals"),
                        Map.entry("name", "nothing"),
                        Map.entry("file", "nothing.js"),
                        Map.entry("provider", "nobody")));
    }

    private static @Nullable String body(Route route) {
        return route.method() == Method.GET || route.method() == Method.DELETE
                ? null
                : CALLS.getOrDefault(AdministrationPaths.name(route), "{}");
    }
}
