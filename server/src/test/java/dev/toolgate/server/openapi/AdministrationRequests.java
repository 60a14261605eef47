package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.util.UUID;

/** Requests to administer agents, permissions, groups, keys and tenants. */
final class AdministrationRequests extends DocumentedRequests {
    AdministrationRequests(RunningServer server, CheckedClient checked) {
        super(server, checked);
    }

    void agents() {
        seen(201, ask("POST /api/v1/agents", "{\"agent_id\": \"ada\", \"name\": \"Ada\", \"template\": \"reviewer\"}"));
        seen(201, ask("POST /api/v1/agents", "{\"agent_id\": \"bob/1\"}"));
        seen(409, ask("POST /api/v1/agents", "{\"agent_id\": \"ada\"}"));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/agents?limit=1")).next())
                .isPresent();
        seen(200, checked.ask(admin, "GET /api/v1/agents"));
        seen(200, checked.ask(admin, "GET /api/v1/agents/{agent_id}", "bob/1"));
        seen(404, checked.ask(admin, "GET /api/v1/agents/{agent_id}", "nobody"));
        seen(200, ask("PATCH /api/v1/agents/{agent_id}", "{\"name\": null}", "ada"));
        seen(404, ask("PATCH /api/v1/agents/{agent_id}", "{}", "nobody"));
        seen(200, ask("POST /api/v1/agents/{agent_id}/template", "{\"template\": \"Full Access\"}", "ada"));
        seen(404, ask("POST /api/v1/agents/{agent_id}/template", "{\"template\": \"reviewer\"}", "nobody"));
        seen(409, ask("POST /api/v1/agents/{agent_id}/template", "{\"template\": \"no such template\"}", "ada"));
        seen(200, checked.ask(admin, "GET /api/v1/templates"));
        seen(204, checked.ask(admin, "DELETE /api/v1/agents/{agent_id}?reason=gone", "bob/1"));
        seen(404, checked.ask(admin, "DELETE /api/v1/agents/{agent_id}", "bob/1"));
    }

    void permissions() {
        String one = "/api/v1/permissions/{agent_id}/{tool_name}";
        seen(200, ask("PUT " + one, "{\"allowed\": true, \"max_uses\": 3, \"notes\": \"n\"}", "eve", "bash"));
        seen(200, ask("PUT " + one, """
                {"allowed": true, "condition": "operation == 'read'", "requires_approval": true,
                 "condition_examples": {"matches": [{"operation": "read"}]}, "expires_at": "2099-01-01T00:00:00Z"}""", "eve", "file_read"));
        seen(200, ask("PUT " + one, "{\"allowed\": false}", "eve", "file_write"));
        seen(409, ask("PUT " + one, "{\"allowed\": true, \"condition\": \"1 +\"}", "eve", "bash"));
        seen(200, ask("POST /api/v1/permissions/bulk", "{\"changes\": []}"));
        seen(409, ask("POST /api/v1/permissions/bulk", """
                {"changes": [{"group_id": "no such group", "tool_name": "bash", "allowed": true}]}"""));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/permissions?limit=1"))
                        .next())
                .isPresent();
        seen(200, checked.ask(admin, "GET /api/v1/permissions"));
        seen(200, checked.ask(admin, "GET /api/v1/permissions/{agent_id}", "eve"));
        seen(404, checked.ask(admin, "GET /api/v1/permissions/{agent_id}", "nobody"));
        seen(200, checked.ask(admin, "GET /api/v1/agents/{agent_id}/permissions", "eve"));
        seen(404, checked.ask(admin, "GET /api/v1/agents/{agent_id}/permissions", "nobody"));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/permissions/changes?agent_id=eve&limit=1"))
                        .next())
                .isPresent();
        seen(204, checked.ask(admin, "DELETE " + one + "?reason=done", "eve", "bash"));
        seen(404, checked.ask(admin, "DELETE " + one, "eve", "bash"));
        seen(200, checked.ask(admin, "GET /api/v1/permissions/changes"));
    }

    void permissionReview() {
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "rex", "say");
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "roy", "say");
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/permissions/matrix?limit=1"))
                        .next())
                .isPresent();
        Reply matrix = seen(200, checked.ask(admin, "GET /api/v1/permissions/matrix"));
        Client again = admin.with("If-None-Match", matrix.header("ETag").orElseThrow());
        seen(304, checked.ask(again, "GET /api/v1/permissions/matrix"));
        seen(200, ask("POST /api/v1/permissions/explain", """
                {"agent_id": "rex", "tool_name": "saySomething", "parameters": {"txet": 1}, "trust_level": "supervised"}"""));
        seen(200, ask("POST /api/v1/permissions/explain", """
                {"agent_id": "rex", "tool_name": "say", "session_id": "never"}"""));
        seen(200, ask("POST /api/v1/conditions/check", """
                {"condition": "params.n > 1", "examples": [{"params": {"n": 2}}, {"params": {"n": 0}}, {}]}"""));
        execute(admin, "review-1", "rex", "say", "{\"text\": \"hello\"}");
        seen(200, ask("POST /api/v1/permissions/simulate", """
                {"changes": [{"agent_id": "rex", "tool_name": "say", "allowed": false}], "examples": 3}"""));
        seen(409, ask("POST /api/v1/permissions/simulate", """
                {"changes": [{"group_id": "no such group", "tool_name": "say", "clear": true}]}"""));
        seen(200, checked.ask(admin, "GET /api/v1/permissions/proposals?days=1"));
        seen(200, ask("POST /api/v1/conditions/check", "{\"condition\": \"params. ==\"}"));
    }

    void groups() {
        String member = "/api/v1/groups/{group_id}/members/{agent_id}";
        String permission = "/api/v1/groups/{group_id}/permissions/{tool_name}";
        seen(201, ask("POST /api/v1/groups", "{\"group_id\": \"staff\", \"description\": \"All\"}"));
        seen(409, ask("POST /api/v1/groups", "{\"group_id\": \"staff\"}"));
        ask("POST /api/v1/groups", "{\"group_id\": \"more staff\"}");
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/groups?limit=1")).next())
                .isPresent();
        seen(204, checked.ask(admin, "PUT " + member, "staff", "gil"));
        seen(204, checked.ask(admin, "PUT " + member + "?reason=joins", "staff", "gia"));
        seen(404, checked.ask(admin, "PUT " + member, "nowhere", "gil"));
        seen(200, ask("PUT " + permission, "{\"allowed\": true}", "staff", "bash"));
        seen(404, ask("PUT " + permission, "{\"allowed\": true}", "nowhere", "bash"));
        seen(
                409,
                ask(
                        "PUT " + permission,
                        "{\"allowed\": true, \"expires_at\": \"2001-01-01T00:00:00Z\"}",
                        "staff",
                        "bash"));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/groups/{group_id}?limit=1", "staff"))
                        .next())
                .isPresent();
        seen(404, checked.ask(admin, "GET /api/v1/groups/{group_id}", "nowhere"));
        seen(200, checked.ask(admin, "GET /api/v1/permissions/{agent_id}", "gil"));
        seen(200, ask("PATCH /api/v1/groups/{group_id}", "{\"description\": null}", "staff"));
        seen(404, ask("PATCH /api/v1/groups/{group_id}", "{}", "nowhere"));
        seen(204, checked.ask(admin, "DELETE " + permission, "staff", "bash"));
        seen(404, checked.ask(admin, "DELETE " + permission, "staff", "bash"));
        seen(204, checked.ask(admin, "DELETE " + member, "staff", "gil"));
        seen(404, checked.ask(admin, "DELETE " + member, "staff", "gil"));
        seen(204, checked.ask(admin, "DELETE /api/v1/groups/{group_id}", "staff"));
        seen(404, checked.ask(admin, "DELETE /api/v1/groups/{group_id}", "staff"));
        seen(200, checked.ask(admin, "GET /api/v1/permissions/changes?group_id=staff"));
    }

    private void rotation(String id) {
        String rotate = "POST /api/v1/keys/{key_id}/rotate";
        seen(201, checked.send(admin, rotate, "{\"overlap\": \"2d\", \"expires_in\": \"never\"}", id));
        seen(409, checked.send(admin, rotate, "{}", id));
        seen(404, checked.send(admin, rotate, "{}", "00000000-0000-0000-0000-000000000000"));
        seen(400, checked.send(admin, rotate, "{\"overlap\": \"soon\"}", id));
        seen(201, ask("POST /api/v1/keys", "{\"role\": \"user\", \"agents\": [\"ada\"]}"));
    }

    void keysAndTenants() {
        Reply made = seen(
                201, ask("POST /api/v1/keys", "{\"role\": \"auditor\", \"expires_at\": \"2099-01-01T00:00:00Z\"}"));
        String id = made.json().path("key_id").asString();
        seen(201, ask("POST /api/v1/keys", "{\"role\": \"agent\", \"agent_id\": \"ada\", \"expires_in\": \"90d\"}"));
        seen(200, checked.ask(admin, "GET /api/v1/keys/{key_id}", id));
        seen(404, checked.ask(admin, "GET /api/v1/keys/{key_id}", "none"));
        rotation(id);
        seen(204, checked.ask(admin, "DELETE /api/v1/keys/{key_id}", id));
        seen(404, checked.ask(admin, "DELETE /api/v1/keys/{key_id}", id));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/keys?limit=1")).next())
                .isPresent();
        seen(200, checked.ask(admin, "GET /api/v1/keys"));
        seen(400, checked.ask(admin, "GET /api/v1/keys?after=none"));
        seen(409, checked.ask(admin, "GET /api/v1/keys?after=" + UUID.randomUUID()));
        seen(409, ask("POST /api/v1/keys", "{\"role\": \"auditor\", \"expires_at\": \"2001-01-01T00:00:00Z\"}"));

        Reply tenant = seen(201, ask("POST /api/v1/tenants", "{\"tenant_id\": \"other\", \"name\": \"Other\"}"));
        seen(409, ask("POST /api/v1/tenants", "{\"tenant_id\": \"other\", \"name\": \"Other\"}"));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/tenants?limit=1")).next())
                .isPresent();
        Client otherAdmin = server.withKey(tenant.json().at("/admin_key/key").asString());
        String lastKey = tenant.json().at("/admin_key/key_id").asString();
        seen(409, checked.ask(otherAdmin, "DELETE /api/v1/keys/{key_id}", lastKey));
        seen(403, checked.ask(otherAdmin, "GET /api/v1/audit/verify"));
    }
}
