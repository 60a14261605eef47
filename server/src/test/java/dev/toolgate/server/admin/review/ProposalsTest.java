package dev.toolgate.server.admin.review;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ProposalsTest {
    private static final String PROPOSALS = "/api/v1/permissions/proposals";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(Output::text));
        admin = server.admin();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static void said(String agent, String id, String text) {
        Reply reply =
                admin.post("/api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "say", "operation": "o", "parameters": {"text": %s}}""".formatted(id, agent, Json.MAPPER.writeValueAsString(text)));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    }

    /** Backdates all permissions, since a test cannot wait for days. */
    private static void makeOld() {
        server.database().jdbi().useHandle(handle -> {
            for (String table : List.of("agent_tool_permissions", "group_tool_permissions")) {
                handle.execute("ALTER TABLE " + table + " DISABLE TRIGGER USER");
                handle.execute("UPDATE " + table + " SET updated_at = now() - interval '100 days'");
                handle.execute("ALTER TABLE " + table + " ENABLE TRIGGER USER");
            }
        });
    }

    private static JsonNode proposed(Client client) {
        Reply reply = client.get(PROPOSALS);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json();
    }

    private static Optional<JsonNode> about(JsonNode answer, String kind, String holder, String tool) {
        return answer.path("proposals")
                .valueStream()
                .filter(proposal -> proposal.path("kind").asString().equals(kind))
                .map(proposal -> proposal.path("change"))
                .filter(change -> change.path("tool_name").asString().equals(tool)
                        && List.of(
                                        change.path("agent_id").asString(""),
                                        change.path("group_id").asString(""))
                                .contains(holder))
                .findFirst();
    }

    @Test
    void clearing_unused_grants_is_proposed() {
        admin.put("/api/v1/permissions/idler/bash", "{\"allowed\": true}");
        admin.put("/api/v1/permissions/idler/file_read", "{\"allowed\": false}");
        admin.put("/api/v1/permissions/worker/say", "{\"allowed\": true}");
        said("worker", "worker-1", "hello");
        admin.post("/api/v1/groups", "{\"group_id\": \"crew\"}");
        admin.put("/api/v1/groups/crew/members/crew_1");
        admin.put("/api/v1/groups/crew/permissions/say", "{\"allowed\": true}");
        admin.put("/api/v1/groups/crew/permissions/bash", "{\"allowed\": true}");
        said("crew_1", "crew-1", "hello");
        makeOld();
        admin.put("/api/v1/permissions/newcomer/bash", "{\"allowed\": true}");

        JsonNode answer = proposed(admin);

        assertThat(about(answer, "unused", "idler", "bash")).isPresent();
        assertThat(about(answer, "unused", "idler", "file_read"))
                .as("a refusal")
                .isEmpty();
        assertThat(about(answer, "unused", "worker", "say")).isEmpty();
        assertThat(about(answer, "unused", "crew", "say"))
                .as("used by a member")
                .isEmpty();
        assertThat(about(answer, "unused", "crew", "bash")).isPresent();
        assertThat(about(answer, "unused", "newcomer", "bash")).as("new").isEmpty();
        assertThat(answer.path("not_looked_at").isNull()).isTrue();
    }

    @Test
    void a_narrower_condition_covers_every_recorded_call() {
        admin.put(
                "/api/v1/permissions/pathed/say",
                "{\"allowed\": true, \"max_uses\": 100, \"requires_approval\": false}");
        for (int i = 0; i < 25; i++) {
            said("pathed", "pathed-" + i, "docs/manual/page-" + i + ".md");
        }

        JsonNode change = about(proposed(admin), "narrower", "pathed", "say").orElseThrow();
        assertThat(change.path("condition").asString()).isEqualTo("params.text.startsWith(\"docs/manual/\")");
        assertThat(change.path("max_uses").asInt()).as("remaining uses").isEqualTo(75);

        String draft = "{\"changes\": [" + change + "]}";
        JsonNode simulated = admin.post("/api/v1/permissions/simulate", draft).json();
        assertThat(simulated.path("unchanged").asInt()).as(simulated.toString()).isEqualTo(25);
        assertThat(admin.post("/api/v1/permissions/bulk", draft).status()).isEqualTo(200);
        said("pathed", "pathed-more", "docs/manual/more.md");
        assertThat(about(proposed(admin), "narrower", "pathed", "say"))
                .as("nothing more to narrow")
                .isEmpty();
    }

    @Test
    void text_of_agents_cannot_become_part_of_a_condition() {
        admin.put("/api/v1/permissions/sly/say", "{\"allowed\": true}");
        admin.put("/api/v1/permissions/hidden/say", "{\"allowed\": true}");
        for (int i = 0; i < 20; i++) {
            said("sly", "sly-" + i, "x\"] || true || \"\" in [\"");
            said("hidden", "hidden-" + i, "\u202egnp.exe");
        }

        JsonNode answer = proposed(admin);

        JsonNode sly = about(answer, "narrower", "sly", "say").orElseThrow();
        JsonNode checked = admin.post(
                        "/api/v1/conditions/check",
                        Json.MAPPER
                                .createObjectNode()
                                .put("condition", sly.path("condition").asString())
                                .set("examples", Json.MAPPER.readTree("[{\"params\": {\"text\": \"something else\"}}]"))
                                .toString())
                .json();
        assertThat(checked.at("/examples/0/result").asString()).isEqualTo("false");
        assertThat(about(answer, "narrower", "hidden", "say")).isEmpty();
    }

    @Test
    void another_tenant_gets_no_proposal_about_it() {
        admin.put("/api/v1/permissions/private_agent/bash", "{\"allowed\": true}");
        makeOld();

        assertThat(proposed(server.as(ACME, Role.ADMIN)).toString()).doesNotContain("private_agent");
        assertThat(server.as(FIRST, Role.AGENT).get(PROPOSALS).status()).isEqualTo(403);
        assertThat(admin.get(PROPOSALS + "?days=366").status()).isEqualTo(400);
    }
}
