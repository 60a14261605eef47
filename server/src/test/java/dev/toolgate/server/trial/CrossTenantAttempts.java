package dev.toolgate.server.trial;

import static java.util.Map.entry;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Requests to every route with ids of another tenant. */
final class CrossTenantAttempts {
    /** Ids of the victim's resources, or ids that do not exist. */
    record Names(
            String agent,
            String group,
            UUID key,
            String request,
            String session,
            String project,
            String text,
            String workspace,
            String artifact,
            UUID approval,
            UUID standing) {

        /** A text with these ids removed. */
        String outOf(String response) {
            return response.replace(agent, "<agent>")
                    .replace(group, "<group>")
                    .replace(key.toString(), "<key>")
                    .replace(approval.toString(), "<approval>")
                    .replace(standing.toString(), "<standing>")
                    .replace(request, "<request>")
                    .replace(session, "<session>")
                    .replace(project, "<project>")
                    .replace(text, "<text>")
                    .replace(workspace, "<workspace>")
                    .replace(artifact, "<artifact>");
        }
    }

    /** A request. */
    record Attempt(String method, String path, @Nullable String body) {
        Reply by(Client client) {
            return client.send(method, path, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        }
    }

    private CrossTenantAttempts() {}

    /** The requests by route; routes without ids are requested as they are. */
    static final Map<String, Function<Names, Attempt>> BY_ROUTE = Map.ofEntries(
            entry("GET /", _ -> get("/")),
            entry("GET /console", _ -> get("/console")),
            entry("GET /console/{page}", _ -> get("/console/agents")),
            entry("GET /console/{page}/{name}", n -> get("/console/agents/" + n.agent())),
            entry("GET /console/assets/{file}", n -> get("/console/assets/" + n.artifact())),
            entry("GET /docs", _ -> get("/docs")),
            entry("GET /openapi.json", _ -> get("/openapi.json")),
            entry("GET /openapi.yaml", _ -> get("/openapi.yaml")),
            entry("GET /health", _ -> get("/health")),
            entry("GET /health/live", _ -> get("/health/live")),
            entry("GET /health/ready", _ -> get("/health/ready")),
            entry("GET /metrics", _ -> get("/metrics")),
            entry("GET /ws", _ -> get("/ws")),
            entry(
                    "POST /mcp",
                    n -> post(
                            "/mcp",
                            "{'jsonrpc': '2.0', 'id': '" + n.request()
                                    + "', 'method': 'resources/read', 'params': {'uri':" + " 'workspaces/"
                                    + n.workspace() + "/artifacts/" + n.artifact() + "'}}")),
            entry("GET /mcp", _ -> get("/mcp")),
            entry("DELETE /mcp", _ -> delete("/mcp")),
            entry("GET /api/v1/whoami", _ -> get("/api/v1/whoami")),
            entry("GET /api/v1/tools", _ -> get("/api/v1/tools")),
            entry("GET /api/v1/providers", _ -> get("/api/v1/providers")),
            entry("GET /api/v1/providers/{provider}/models", n -> get("/api/v1/providers/" + n.text() + "/models")),
            entry(
                    "POST /api/v1/providers/{provider}/credentials",
                    n -> post("/api/v1/providers/" + n.text() + "/credentials", "{'api_key': '" + n.text() + "'}")),
            entry("GET /api/v1/templates", _ -> get("/api/v1/templates")),
            entry("GET /api/v1/console/session", _ -> get("/api/v1/console/session")),
            entry("POST /api/v1/console/session", n -> post("/api/v1/console/session", "{'key': '" + n.key() + "'}")),
            entry("DELETE /api/v1/console/session", _ -> delete("/api/v1/console/session")),
            entry("GET /api/v1/console/sign-on", _ -> get("/api/v1/console/sign-on")),
            entry("GET /auth/oidc/login", _ -> get("/auth/oidc/login")),
            entry("GET /auth/oidc/callback", n -> get("/auth/oidc/callback?code=c&state=" + n.text())),
            entry("GET /api/v1/people", n -> get("/api/v1/people?after=" + n.key())),
            entry("DELETE /api/v1/people/{person_id}/sessions", n -> delete("/api/v1/people/" + n.key() + "/sessions")),
            entry("GET /api/v1/audit/logs", n -> get("/api/v1/audit/logs" + any(n))),
            entry("GET /api/v1/audit/logs/{record_id}", _ -> get("/api/v1/audit/logs/1")),
            entry("GET /api/v1/audit/logs/{record_id}/undo", _ -> get("/api/v1/audit/logs/1/undo")),
            entry(
                    "POST /api/v1/audit/logs/{record_id}/undo",
                    _ -> post("/api/v1/audit/logs/1/undo", "{'reason': 'mine'}")),
            entry("GET /api/v1/audit/histogram", n -> get("/api/v1/audit/histogram" + any(n))),
            entry("GET /api/v1/audit/facets", n -> get("/api/v1/audit/facets" + any(n))),
            entry("POST /api/v1/audit/rollup", _ -> post("/api/v1/audit/rollup", "{}")),
            entry(
                    "GET /api/v1/permissions/usage",
                    n -> get("/api/v1/permissions/usage?agent_id=" + n.agent() + "&tool_name=look")),
            entry("GET /api/v1/audit/export", n -> get("/api/v1/audit/export" + any(n))),
            entry("GET /api/v1/audit/costs", _ -> get("/api/v1/audit/costs?group_by=agent")),
            entry("GET /api/v1/audit/chains", _ -> get("/api/v1/audit/chains")),
            entry("GET /api/v1/audit/checkpoints", _ -> get("/api/v1/audit/checkpoints")),
            entry("GET /api/v1/audit/verify", _ -> get("/api/v1/audit/verify")),
            entry(
                    "GET /api/v1/approvals",
                    n -> get("/api/v1/approvals?agent_id=" + n.agent() + "&after=" + n.approval())),
            entry("GET /api/v1/approvals/{approval_id}", n -> get("/api/v1/approvals/" + n.approval())),
            entry(
                    "POST /api/v1/approvals/{approval_id}",
                    n -> post("/api/v1/approvals/" + n.approval(), "{'approved': true, 'scope': 'agent'}")),
            entry("GET /api/v1/approvals/standing", n -> get("/api/v1/approvals/standing?after=" + n.standing())),
            entry(
                    "DELETE /api/v1/approvals/standing/{standing_id}",
                    n -> delete("/api/v1/approvals/standing/" + n.standing())),
            entry("GET /api/v1/calls/{request_id}", n -> get("/api/v1/calls/" + n.request())),
            entry("GET /api/v1/tools/permissions/{agent_id}", n -> get("/api/v1/tools/permissions/" + n.agent())),
            entry("GET /api/v1/agents", n -> get("/api/v1/agents?after=" + n.agent())),
            entry("GET /api/v1/agents/{agent_id}", n -> get("/api/v1/agents/" + n.agent())),
            entry("DELETE /api/v1/agents/{agent_id}", n -> delete("/api/v1/agents/" + n.agent())),
            entry("PATCH /api/v1/agents/{agent_id}", n -> patch("/api/v1/agents/" + n.agent(), "{'name': 'mine'}")),
            entry("GET /api/v1/permissions/matrix", n -> get("/api/v1/permissions/matrix?after=" + n.agent())),
            entry(
                    "POST /api/v1/permissions/explain",
                    n -> post(
                            "/api/v1/permissions/explain",
                            "{'agent_id': '" + n.agent() + "', 'tool_name': 'look', 'session_id': '" + n.session()
                                    + "'}")),
            entry(
                    "POST /api/v1/permissions/simulate",
                    n -> post(
                            "/api/v1/permissions/simulate",
                            "{'changes': [{'agent_id': '" + n.agent() + "', 'tool_name': 'look', 'allowed': false}]}")),
            entry("GET /api/v1/permissions/proposals", _ -> get("/api/v1/permissions/proposals")),
            entry(
                    "POST /api/v1/conditions/check",
                    n -> post("/api/v1/conditions/check", "{'condition': 'agent == \"" + n.agent() + "\"'}")),
            entry("GET /connect/mcp/{server_name}", n -> get("/connect/mcp/" + n.group())),
            entry("GET /connect/callback", n -> get("/connect/callback?state=" + n.request())),
            entry(
                    "GET /connect/callback/{issuer_hash}",
                    n -> get("/connect/callback/" + "0".repeat(32) + "?state=" + n.request())),
            entry("GET /connect/client.json", _ -> get("/connect/client.json")),
            entry("GET /connect/client/{issuer_hash}", _ -> get("/connect/client/" + "0".repeat(32))),
            entry("GET /api/v1/permissions", n -> get("/api/v1/permissions?after=" + n.agent())),
            entry("GET /api/v1/permissions/{agent_id}", n -> get("/api/v1/permissions/" + n.agent())),
            entry(
                    "GET /api/v1/agents/{agent_id}/permissions",
                    n -> get("/api/v1/agents/" + n.agent() + "/permissions")),
            entry(
                    "GET /api/v1/permissions/changes",
                    n -> get("/api/v1/permissions/changes?agent_id=" + n.agent() + "&group_id=" + n.group())),
            entry(
                    "DELETE /api/v1/permissions/{agent_id}/{tool_name}",
                    n -> delete("/api/v1/permissions/" + n.agent() + "/look")),
            entry("GET /api/v1/groups", n -> get("/api/v1/groups?after=" + n.group())),
            entry("GET /api/v1/groups/{group_id}", n -> get("/api/v1/groups/" + n.group())),
            entry(
                    "PATCH /api/v1/groups/{group_id}",
                    n -> patch("/api/v1/groups/" + n.group(), "{'description': 'mine'}")),
            entry("DELETE /api/v1/groups/{group_id}", n -> delete("/api/v1/groups/" + n.group())),
            entry("PUT /api/v1/groups/{group_id}/members/{agent_id}", n -> put(member(n), null)),
            entry("DELETE /api/v1/groups/{group_id}/members/{agent_id}", n -> delete(member(n))),
            entry(
                    "PUT /api/v1/groups/{group_id}/permissions/{tool_name}",
                    n -> put("/api/v1/groups/" + n.group() + "/permissions/look", "{'allowed': true}")),
            entry(
                    "DELETE /api/v1/groups/{group_id}/permissions/{tool_name}",
                    n -> delete("/api/v1/groups/" + n.group() + "/permissions/look")),
            entry("GET /api/v1/keys", n -> get("/api/v1/keys?after=" + n.key())),
            entry("GET /api/v1/keys/{key_id}", n -> get("/api/v1/keys/" + n.key())),
            entry("DELETE /api/v1/keys/{key_id}", n -> delete("/api/v1/keys/" + n.key())),
            entry("POST /api/v1/keys/{key_id}/rotate", n -> post("/api/v1/keys/" + n.key() + "/rotate", "{}")),
            entry("GET /workspaces/{workspace_id}/artifacts", n -> get(artifacts(n))),
            entry(
                    "GET /workspaces/{workspace_id}/artifacts/{artifact_id}",
                    n -> get(artifacts(n) + "/" + n.artifact())),
            entry(
                    "DELETE /workspaces/{workspace_id}/artifacts/{artifact_id}",
                    n -> delete(artifacts(n) + "/" + n.artifact())),
            entry("GET /api/v1/tenants", _ -> get("/api/v1/tenants")),
            entry("POST /api/v1/tenants", _ -> post("/api/v1/tenants", "{'tenant_id': 'victim', 'name': 'mine'}")),
            entry("POST /api/v1/tools/validate", n -> post("/api/v1/tools/validate", call(n, n.session()))),
            entry("POST /api/v1/tools/execute", n -> post("/api/v1/tools/execute", call(n, n.session()))),
            entry("GET /tools", n -> get("/tools")),
            entry(
                    "POST /execute-tool",
                    n -> post("/execute-tool", "{'tool': 'look', 'args': {}, 'correlationId': '" + n.request() + "'}")),
            entry(
                    "POST /tools/{tool_name}/invoke",
                    n -> post(
                            "/tools/look/invoke",
                            "{'sessionId': '" + n.session() + "', 'taskId': '" + n.text() + "', 'stepId': 's',"
                                    + " 'toolName': 'look', 'arguments': {}}")),
            entry(
                    "GET /tools/{tool_name}/invocations/{request_id}",
                    n -> get("/tools/look/invocations/" + n.request() + "?sessionId=" + n.session()
                            + "&taskId=t&stepId=s")),
            entry(
                    "POST /access/v1/evaluation",
                    n -> post(
                            "/access/v1/evaluation",
                            "{'subject': {'type': 'agent', 'id': '" + n.agent()
                                    + "'}, 'action': {'name': 'trial'}, 'resource': {'type': 'tool', 'id': 'look'}}")),
            entry("POST /api/v1/tools/authorize", n -> post("/api/v1/tools/authorize", call(n, n.session()))),
            entry(
                    "POST /api/v1/calls/{request_id}/outcome",
                    n -> post("/api/v1/calls/" + n.request() + "/outcome", "{'status': 'succeeded'}")),
            entry(
                    "POST /hooks/claude-code",
                    n -> post(
                            "/hooks/claude-code",
                            "{'session_id': '" + n.session()
                                    + "', 'hook_event_name': 'PreToolUse', 'tool_name': 'Bash',"
                                    + " 'tool_input': {}, 'tool_use_id': '" + n.request() + "'}")),
            entry(
                    "POST /hooks/codex",
                    n -> post(
                            "/hooks/codex",
                            "{'session_id': '" + n.session()
                                    + "', 'hook_event_name': 'PreToolUse', 'tool_name': 'Bash',"
                                    + " 'tool_input': {}, 'tool_use_id': '" + n.request() + "'}")),
            entry(
                    "POST /hooks/cursor",
                    n -> post(
                            "/hooks/cursor",
                            "{'conversation_id': '" + n.session()
                                    + "', 'hook_event_name': 'preToolUse', 'tool_name': 'Shell',"
                                    + " 'tool_input': {}, 'tool_use_id': '" + n.request() + "'}")),
            entry("GET /api/v1/tools/external", _ -> get("/api/v1/tools/external")),
            entry("GET /api/v1/tools/external/{external_tool}", n -> get(externalTool(n))),
            entry("DELETE /api/v1/tools/external/{external_tool}", n -> delete(externalTool(n))),
            entry(
                    "PUT /api/v1/tools/external/{external_tool}",
                    n -> put(externalTool(n), "{'description': 'mine', 'input_schema': {'type': 'object'}}")),
            entry("GET /api/v1/mcp/servers", n -> get("/api/v1/mcp/servers?after=" + n.group())),
            entry("GET /api/v1/mcp/servers/{server_name}", n -> get(mcpServer(n))),
            entry("PATCH /api/v1/mcp/servers/{server_name}", n -> patch(mcpServer(n), "{'capability': 'mine'}")),
            entry("DELETE /api/v1/mcp/servers/{server_name}", n -> delete(mcpServer(n))),
            entry("POST /api/v1/mcp/servers/{server_name}/refresh", n -> post(mcpServer(n) + "/refresh", "{}")),
            entry(
                    "GET /api/v1/mcp/servers/{server_name}/tools/{mcp_tool}",
                    n -> get(mcpServer(n) + "/tools/" + n.text())),
            entry(
                    "POST /api/v1/mcp/servers/{server_name}/tools/{mcp_tool}",
                    n -> post(
                            mcpServer(n) + "/tools/" + n.text(), "{'agreed': true, 'hash': '" + "0".repeat(64) + "'}")),
            entry("POST /api/v1/mcp/servers/{server_name}/account", n -> post(mcpServer(n) + "/account", "{}")),
            entry("GET /api/v1/mcp/accounts", n -> get("/api/v1/mcp/accounts?after=" + n.text())),
            entry(
                    "DELETE /api/v1/mcp/accounts/{account_id}",
                    n -> delete("/api/v1/mcp/accounts/00000000-0000-0000-0000-000000000000")),
            entry("GET /api/v1/sessions", n -> get("/api/v1/sessions?after=" + n.session())),
            entry("GET /api/v1/sessions/{session_id}", n -> get("/api/v1/sessions/" + n.session())),
            entry(
                    "GET /api/v1/sessions/{session_id}/changes",
                    n -> get("/api/v1/sessions/" + n.session() + "/changes")),
            entry("DELETE /api/v1/sessions/{session_id}", n -> delete("/api/v1/sessions/" + n.session())),
            // From here on the ids are created in the attacker's tenant, which must change nothing elsewhere.
            entry("POST /workspaces/{workspace_id}/artifacts", n -> post(artifacts(n), "same for everybody")),
            entry(
                    "POST /api/v1/agents/{agent_id}/template",
                    n -> post("/api/v1/agents/" + n.agent() + "/template", "{'template': 'reviewer'}")),
            entry("POST /api/v1/agents", n -> post("/api/v1/agents", "{'agent_id': '" + n.agent() + "'}")),
            entry("POST /api/v1/groups", n -> post("/api/v1/groups", "{'group_id': '" + n.group() + "'}")),
            entry(
                    "PUT /api/v1/permissions/{agent_id}/{tool_name}",
                    n -> put("/api/v1/permissions/" + n.agent() + "/look", "{'allowed': false}")),
            entry(
                    "POST /api/v1/permissions/bulk",
                    n -> post(
                            "/api/v1/permissions/bulk",
                            "{'changes': [{'agent_id': '" + n.agent() + "', 'tool_name': 'look', 'allowed': false},"
                                    + " {'group_id': '" + n.group() + "', 'tool_name': 'look', 'allowed': true}]}")),
            entry(
                    "POST /api/v1/mcp/servers",
                    n -> post(
                            "/api/v1/mcp/servers",
                            "{'name': '" + n.group() + "', 'url': 'https://mcp.example.com/" + n.text()
                                    + "', 'enabled': false}")),
            entry(
                    "POST /api/v1/keys",
                    n -> post("/api/v1/keys", "{'role': 'agent', 'agent_id': '" + n.agent() + "', 'name': 'mine'}")),
            entry(
                    "POST /api/v1/sessions",
                    n -> post(
                            "/api/v1/sessions",
                            "{'agent_id': '" + n.agent() + "', 'policy_bundle': {'policyBundleVersion': '1',"
                                    + " 'schemaVersion': '1.0', 'tenantId': 'mallory', 'userId': 'u', 'sessionId': '"
                                    + n.session() + "', 'expiresAt': '2099-01-01T00:00:00Z', 'capabilities': []}}")));

    /** The requests for this route. */
    static Attempt by(String route, Names names) {
        return Objects.requireNonNull(BY_ROUTE.get(route), route).apply(names);
    }

    /** Routes that create a resource with the given id, and so are tried last. */
    static boolean makes(String route) {
        return switch (route) {
            case "POST /api/v1/agents/{agent_id}/template",
                    "POST /workspaces/{workspace_id}/artifacts",
                    "POST /api/v1/agents",
                    "POST /api/v1/groups",
                    "PUT /api/v1/permissions/{agent_id}/{tool_name}",
                    "POST /api/v1/permissions/bulk",
                    "POST /api/v1/keys",
                    "POST /api/v1/mcp/servers",
                    "PUT /api/v1/tools/external/{external_tool}",
                    "POST /api/v1/sessions" -> true;
            default -> false;
        };
    }

    static String call(Names names, @Nullable String session) {
        return json("{'request_id': '" + names.request() + "', 'agent_id': '" + names.agent() + "', 'project_id': '"
                + names.project() + "', 'tool_name': 'look', 'operation': 'trial', 'parameters': {}"
                + (session == null ? "" : ", 'session_id': '" + session + "'") + "}");
    }

    private static String any(Names names) {
        return "?agent_id=" + names.agent() + "&project_id=" + names.project() + "&request_id=" + names.request()
                + "&q=" + names.text();
    }

    private static String artifacts(Names names) {
        return "/workspaces/" + names.workspace() + "/artifacts";
    }

    private static String externalTool(Names names) {
        return "/api/v1/tools/external/" + names.group();
    }

    private static String mcpServer(Names names) {
        return "/api/v1/mcp/servers/" + names.group();
    }

    private static String member(Names names) {
        return "/api/v1/groups/" + names.group() + "/members/" + names.agent();
    }

    private static Attempt get(String path) {
        return new Attempt("GET", path, null);
    }

    private static Attempt delete(String path) {
        return new Attempt("DELETE", path, null);
    }

    private static Attempt post(String path, String body) {
        return new Attempt("POST", path, json(body));
    }

    private static Attempt patch(String path, String body) {
        return new Attempt("PATCH", path, json(body));
    }

    private static Attempt put(String path, @Nullable String body) {
        return new Attempt("PUT", path, body == null ? null : json(body));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
