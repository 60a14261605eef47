package dev.toolgate.server.admin;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Role;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Method;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.store.audit.query.AuditQueries;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Administrative changes are recorded with author, former and new state, and reason. */
class AdministrationRecordsTest {
    private static final AtomicBoolean FULL = new AtomicBoolean();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of(), FullLog::new);
        admin = server.admin();
        made(admin.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}"));
    }

    @AfterEach
    void everything_verifies() {
        FULL.set(false);
        assertThat(new AuditQueries(server.database().jdbi()).verify().faults()).isEmpty();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void creating_and_revoking_a_key_is_recorded_without_the_key() {
        Reply made = made(
                admin.post("/api/v1/keys?reason=new%20colleague", "{\"role\": \"operator\", \"name\": \"for ada\"}"));
        String key = made.json().path("key").asString();
        String id = made.json().path("key_id").asString();
        assertThat(admin.delete("/api/v1/keys/" + id + "?reason=left").status()).isEqualTo(204);

        JsonNode revoked = records("tool_name=keys").path(0);
        JsonNode created = records("tool_name=keys").path(1);
        assertThat(created.path("operation").asString()).isEqualTo("create");
        assertThat(created.path("principal").asString()).startsWith("key:");
        assertThat(created.at("/parameters/before").isNull()).isTrue();
        assertThat(created.at("/parameters/after/role").asString()).isEqualTo("operator");
        assertThat(created.at("/parameters/reason").asString()).isEqualTo("new colleague");
        assertThat(revoked.at("/parameters/target/key_id").asString()).isEqualTo(id);
        assertThat(revoked.at("/parameters/before/state").asString()).isEqualTo("usable");
        assertThat(revoked.at("/parameters/after/state").asString()).isEqualTo("revoked");
        assertThat(revoked.at("/parameters/reason").asString()).isEqualTo("left");
        long naming = server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM tool_audit_logs WHERE tool_audit_logs::text LIKE '%' || :key || '%'")
                .bind("key", key)
                .mapTo(Long.class)
                .one());
        assertThat(naming).isZero();
    }

    @Test
    void a_new_tenant_is_recorded_without_its_admin_key() {
        Reply made = made(admin.post("/api/v1/tenants", "{\"tenant_id\": \"globex\", \"name\": \"Globex\"}"));

        JsonNode record = records("tool_name=tenants").path(0);
        assertThat(record.at("/parameters/after/tenant_id").asString()).isEqualTo("globex");
        assertThat(record.toString())
                .doesNotContain(made.json().at("/admin_key/key").asString());
    }

    @Test
    void a_trust_level_is_recorded_with_its_former_value() {
        made(admin.post("/api/v1/agents", "{\"agent_id\": \"trusted\"}"));
        admin.patch("/api/v1/agents/trusted?reason=works%20well", "{\"trust_level\": \"autonomous\"}");

        JsonNode record = records("tool_name=agents").path(0);
        assertThat(record.path("operation").asString()).isEqualTo("update");
        assertThat(record.at("/parameters/before/trust_level").asString()).isEqualTo("guided");
        assertThat(record.at("/parameters/after/trust_level").asString()).isEqualTo("autonomous");
        assertThat(record.at("/parameters/reason").asString()).isEqualTo("works well");
        assertThat(admin.delete("/api/v1/agents/trusted").status()).isEqualTo(204);
        assertThat(records("tool_name=agents").path(0).path("operation").asString())
                .isEqualTo("delete");
    }

    @Test
    void grants_are_recorded_however_they_are_set_and_cleared() {
        admin.put("/api/v1/permissions/agent_1/bash", "{\"allowed\": true, \"reason\": \"builds\"}");
        admin.post("/api/v1/permissions/bulk", """
                {"reason": "no more", "changes": [{"agent_id": "agent_1", "tool_name": "bash", "allowed": false}]}""");
        admin.delete("/api/v1/permissions/agent_1/bash?reason=clean");
        admin.post("/api/v1/agents/agent_1/template", "{\"template\": \"nobody has this\"}");

        JsonNode records = records("tool_name=permissions");
        assertThat(records.valueStream().map(each -> each.path("operation").asString()))
                .startsWith("clear", "bulk", "set");
        assertThat(records.path(2).at("/parameters/before")).isEmpty();
        assertThat(records.path(2).at("/parameters/after/0/allowed").booleanValue())
                .isTrue();
        assertThat(records.path(1).at("/parameters/before/0/allowed").booleanValue())
                .isTrue();
        assertThat(records.path(1).at("/parameters/after/0/allowed").booleanValue())
                .isFalse();
        assertThat(records.path(1).at("/parameters/reason").asString()).isEqualTo("no more");
        assertThat(records.path(0).at("/parameters/after")).isEmpty();
        long changes = server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM permission_change_log WHERE agent_id = 'agent_1' AND tool_name = 'bash'")
                .mapTo(Long.class)
                .one());
        assertThat(changes).isEqualTo(3);
    }

    @Test
    void applying_a_template_is_recorded_with_the_tools_before_and_after() {
        made(admin.post("/api/v1/agents", "{\"agent_id\": \"templated\"}"));
        admin.put("/api/v1/permissions/templated/bash", "{\"allowed\": true}");
        String template = admin.get("/api/v1/templates").each("template_id").getFirst();
        Reply applied = admin.post(
                "/api/v1/agents/templated/template",
                "{\"template\": \"%s\", \"reason\": \"joins the team\"}".formatted(template));
        assertThat(applied.status()).as(applied.toString()).isEqualTo(200);

        JsonNode record = records("tool_name=templates").path(0);
        assertThat(record.path("operation").asString()).isEqualTo("apply");
        assertThat(record.at("/parameters/reason").asString()).isEqualTo("joins the team");
        assertThat(texts(record.at("/parameters/before/tools"))).containsExactly("bash");
        List<String> added = texts(applied.json().path("added"));
        assertThat(added).isNotEmpty();
        assertThat(texts(record.at("/parameters/after/added"))).isEqualTo(added);
        assertThat(texts(record.at("/parameters/after/tools"))).contains("bash").containsAll(added);
        assertThat(record.at("/parameters/after/template_id").asString()).isEqualTo(template);
    }

    @Test
    void a_rotation_is_recorded_with_both_keys_and_no_secret() {
        Reply old = made(admin.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"for bob\"}"));
        String id = old.json().path("key_id").asString();
        Reply rotated = made(admin.post("/api/v1/keys/" + id + "/rotate?reason=yearly", "{\"overlap\": \"1h\"}"));

        JsonNode record = records("tool_name=keys").path(0);
        assertThat(record.path("operation").asString()).isEqualTo("rotate");
        assertThat(record.at("/parameters/reason").asString()).isEqualTo("yearly");
        assertThat(record.at("/parameters/before/key_id").asString()).isEqualTo(id);
        assertThat(record.at("/parameters/after/0/key_id").asString()).isEqualTo(id);
        assertThat(record.at("/parameters/after/0/expires_at"))
                .isEqualTo(rotated.json().path("previous_expires_at"))
                .isNotEqualTo(record.at("/parameters/before/expires_at"));
        assertThat(record.at("/parameters/after/1/key_id"))
                .isEqualTo(rotated.json().path("key_id"));
        assertThat(record.toString())
                .doesNotContain(
                        old.json().path("key").asString(),
                        rotated.json().path("key").asString());
    }

    @Test
    void revoking_a_standing_approval_is_recorded_with_its_former_state() {
        admin.put("/api/v1/permissions/agent_1/file_list", "{\"allowed\": true, \"requires_approval\": true}");
        Reply held = admin.with("Prefer", "respond-async").post("/api/v1/tools/execute", """
                {"request_id": "stand", "agent_id": "agent_1", "tool_name": "file_list", "operation": "list",
                 "parameters": {"path": "."}}""");
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        Reply answer = admin.post(
                "/api/v1/approvals/" + held.json().path("approval_id").asString(),
                "{\"approved\": true, \"scope\": \"agent\", \"reason\": \"harmless\"}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode standing = admin.get("/api/v1/approvals/standing").json().path(0);
        String id = standing.path("standing_id").asString();

        assertThat(admin.delete("/api/v1/approvals/standing/" + id + "?reason=not%20any%20more")
                        .status())
                .isEqualTo(204);

        JsonNode record = records("tool_name=standing_approvals").path(0);
        assertThat(record.path("operation").asString()).isEqualTo("revoke");
        assertThat(record.at("/parameters/reason").asString()).isEqualTo("not any more");
        assertThat(record.at("/parameters/before")).isEqualTo(standing);
        assertThat(record.at("/parameters/before/reason").asString()).isEqualTo("harmless");
        assertThat(record.at("/parameters/after").isNull()).isTrue();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void changes_of_groups_and_members_are_recorded() {
        made(admin.post("/api/v1/groups", "{\"group_id\": \"builders\"}"));
        admin.put("/api/v1/groups/builders/members/agent_1");
        admin.put("/api/v1/groups/builders/permissions/bash", "{\"allowed\": true}");
        admin.delete("/api/v1/groups/builders/permissions/bash");
        admin.delete("/api/v1/groups/builders/members/agent_1");
        admin.patch("/api/v1/groups/builders", "{\"description\": \"old\"}");
        admin.delete("/api/v1/groups/builders");

        assertThat(records("tool_name=groups").valueStream().map(each -> each.path("operation")
                        .asString()))
                .containsExactly("delete", "describe", "remove_member", "add_member", "create");
    }

    @Test
    void starting_and_ending_a_session_is_recorded() {
        PolicySession.of("sess_recorded", "agent_1", "{\"name\": \"File.Read\"}")
                .startedBy(server.as(FIRST, Role.ORCHESTRATOR));
        server.as(FIRST, Role.AGENT).delete("/api/v1/sessions/sess_recorded?reason=done");

        JsonNode records = records("tool_name=sessions");
        assertThat(records.path(0).path("operation").asString()).isEqualTo("end");
        assertThat(records.path(0).path("agent_id").asString()).isEqualTo("agent_1");
        assertThat(records.path(0).at("/parameters/reason").asString()).isEqualTo("done");
        assertThat(records.path(1).at("/parameters/target/session_id").asString())
                .isEqualTo("sess_recorded");
    }

    @Test
    void failed_changes_are_recorded_as_failed() {
        String id = server.admin().get("/api/v1/whoami").json().path("key_id").asString("");
        Reply again = admin.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");

        assertThat(again.status()).as(id).isEqualTo(409);
        JsonNode record = records("tool_name=agents").path(0);
        assertThat(record.path("status").asString()).isEqualTo("FAILED");
        assertThat(record.path("result_summary").asString()).contains("already");
    }

    @Test
    void only_calls_are_listed_by_default() {
        made(admin.post("/api/v1/agents", "{\"agent_id\": \"unseen\"}"));

        assertThat(admin.get("/api/v1/audit/logs?tool_name=agents").json()).isEmpty();
        assertThat(admin.get("/api/v1/audit/logs?tool_name=agents&kind=all").json())
                .isNotEmpty();
        assertThat(admin.get("/api/v1/audit/logs?kind=both").status()).isEqualTo(400);
    }

    @Test
    void a_key_is_not_returned_if_its_creation_cannot_be_recorded() {
        FULL.set(true);
        Reply reply = admin.post("/api/v1/keys", "{\"role\": \"admin\", \"name\": \"unrecorded\"}");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).doesNotContain("tg_");
    }

    @Test
    void a_log_in_with_a_key_is_recorded_without_its_secrets() {
        String key = server.key(FIRST, Role.OPERATOR, null);
        Reply in = server.anonymous().post("/api/v1/console/session", "{\"key\": \"" + key + "\"}");
        assertThat(in.status()).as(in.toString()).isEqualTo(200);

        JsonNode record = records("tool_name=console_logins").path(0);
        assertThat(record.path("operation").asString()).isEqualTo("log_in");
        assertThat(record.path("principal")).isEqualTo(in.json().path("name"));
        assertThat(record.at("/parameters/after/role").asString()).isEqualTo("operator");
        String cookie = in.header("Set-Cookie").orElseThrow().replaceAll("^[^=]*=|;.*", "");
        assertThat(record.toString())
                .doesNotContain(key, cookie, in.json().path("csrf_token").asString());
    }

    @Test
    void a_log_in_is_refused_if_it_cannot_be_recorded() {
        String key = server.key(FIRST, Role.OPERATOR, null);
        FULL.set(true);
        Reply refused = server.anonymous().post("/api/v1/console/session", "{\"key\": \"" + key + "\"}");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Set-Cookie")).isEmpty();
    }

    @Test
    void every_changing_route_declares_how_it_is_recorded() {
        List<String> administrative = server.routes().stream()
                .filter(route -> route.method() != Method.GET && route.access() instanceof RouteAccess.Needs)
                .filter(route -> Administration.recording(route) != Recording.BY_ADMINISTRATION)
                .map(route -> route.method() + " " + route.path())
                .toList();

        assertThat(administrative)
                .containsExactlyInAnyOrder(
                        "POST /api/v1/conditions/check",
                        "POST /api/v1/permissions/explain",
                        "POST /api/v1/permissions/simulate",
                        "POST /workspaces/{workspace_id}/artifacts",
                        "DELETE /workspaces/{workspace_id}/artifacts/{artifact_id}");
        Route forgotten =
                Route.post("/api/v1/new", RouteAccess.anyPrincipal(), Dialect.STANDARD, _ -> Response.empty());
        assertThatThrownBy(() -> Administration.requireRecorded(new Routes(List.of(forgotten))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("POST /api/v1/new");
    }

    private static Reply made(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        return reply;
    }

    private static JsonNode records(String filter) {
        return admin.get("/api/v1/audit/logs?kind=administration&" + filter).json();
    }

    /** An audit log that can be made to fail. */
    private record FullLog(AuditLog log) implements AuditLog {
        @Override
        public void intend(Intent intent, @Nullable RequestKey key) {
            log.intend(intent, key);
        }

        @Override
        public void permit(Permit permit) {
            log.permit(permit);
        }

        @Override
        public void record(Entry entry, @Nullable KeptAnswer answer) {
            if (FULL.get()) {
                throw new Unavailable("The log takes no more.", null);
            }
            log.record(entry, answer);
        }
    }
}
