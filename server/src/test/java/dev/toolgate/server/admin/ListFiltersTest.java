package dev.toolgate.server.admin;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of lists: agents by text, sessions by agent and status, permission changes by who and when. */
class ListFiltersTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        admin = server.admin();
        admin.post("/api/v1/agents", "{\"agent_id\": \"scout_1\", \"name\": \"Looks around 100%\"}");
        admin.post("/api/v1/agents", "{\"agent_id\": \"scout_2\", \"description\": \"Does <b>Research</b>\"}");
        admin.post("/api/v1/agents", "{\"agent_id\": \"writer\"}");
        server.as(ACME, Role.ADMIN).post("/api/v1/agents", "{\"agent_id\": \"scout_of_acme\"}");
        for (String session : List.of("s-b:scout_1", "s-c:scout_2", "s-a:scout_1")) {
            String[] parts = session.split(":", -1);
            Reply made = admin.post("/api/v1/sessions", """
                    {"agent_id": "%s", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                     "tenantId": "default", "userId": "ada", "sessionId": "%s", "expiresAt": "2099-01-01T00:00:00Z",
                     "capabilities": []}}""".formatted(parts[1], parts[0]));
            assertThat(made.status()).as(made.toString()).isEqualTo(201);
        }
        assertThat(admin.delete("/api/v1/sessions/s-b").status()).isEqualTo(204);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void agents_are_found_by_a_text_and_pages_keep_it() {
        assertThat(all("/api/v1/agents?q=SCOUT&limit=1", "agent_id")).containsExactly("scout_1", "scout_2");
        assertThat(all("/api/v1/agents?q=%3Cb%3Eresearch", "agent_id")).containsExactly("scout_2");
        assertThat(all("/api/v1/agents?q=%25", "agent_id")).containsExactly("scout_1");
        assertThat(all("/api/v1/agents?q=%27%20OR%20true--", "agent_id")).isEmpty();
        assertThat(server.as(ACME, Role.ADMIN).get("/api/v1/agents?q=scout").each("agent_id"))
                .containsExactly("scout_of_acme");
    }

    @Test
    void sessions_are_listed_by_agent_and_status_and_newest_first() {
        assertThat(all("/api/v1/sessions?order=newest&limit=1", "session_id")).containsExactly("s-a", "s-c", "s-b");
        assertThat(all("/api/v1/sessions?limit=1", "session_id")).containsExactly("s-a", "s-b", "s-c");
        assertThat(all("/api/v1/sessions?agent_id=scout_1&order=newest", "session_id"))
                .containsExactly("s-a", "s-b");
        assertThat(all("/api/v1/sessions?agent_id=scout_1&status=active", "session_id"))
                .containsExactly("s-a");
        assertThat(all("/api/v1/sessions?status=ended", "session_id")).containsExactly("s-b");
        assertThat(all("/api/v1/sessions?status=expired", "session_id")).isEmpty();
        for (String wrong : List.of("status=gone", "order=oldest")) {
            assertThat(admin.get("/api/v1/sessions?" + wrong).status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        for (String ofAnotherOrder : List.of("x", "-5")) {
            assertThat(admin.get("/api/v1/sessions?order=newest&after=" + ofAnotherOrder)
                            .status())
                    .as(ofAnotherOrder)
                    .isEqualTo(409);
        }
    }

    @Test
    void an_agent_cannot_list_the_sessions_of_another() {
        Client scout = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("scout_2")));

        assertThat(scout.get("/api/v1/sessions?order=newest").each("session_id"))
                .containsExactly("s-c");
        assertThat(scout.get("/api/v1/sessions?agent_id=scout_1").text()).isEqualTo("[]");
        assertThat(server.as(ACME, Role.ADMIN)
                        .get("/api/v1/sessions?agent_id=scout_1")
                        .text())
                .isEqualTo("[]");
    }

    @Test
    void permission_changes_are_listed_by_who_and_when() {
        Client operator = server.as(FIRST, Role.OPERATOR);
        admin.put("/api/v1/permissions/writer/bash", "{\"allowed\": true}");
        String between = Instant.now().plusMillis(1).toString();
        operator.put("/api/v1/permissions/writer/file_read", "{\"allowed\": true}");
        String changes = "/api/v1/permissions/changes?agent_id=writer";
        List<String> by = admin.get(changes).each("changed_by");

        assertThat(by).hasSizeGreaterThan(1);
        assertThat(all(changes + "&limit=1&changed_by=" + by.getFirst(), "tool_name"))
                .containsExactly("file_read");
        assertThat(all(changes + "&changed_by=nobody", "tool_name")).isEmpty();
        assertThat(all(changes + "&start_date=" + between, "tool_name")).containsExactly("file_read");
        assertThat(all(changes + "&end_date=" + between, "tool_name"))
                .contains("bash")
                .doesNotContain("file_read");
        assertThat(server.as(ACME, Role.ADMIN).get(changes).text()).isEqualTo("[]");
    }

    private static List<String> all(String path, String field) {
        List<String> found = new ArrayList<>();
        Optional<String> next = Optional.of(path);
        while (next.isPresent()) {
            Reply page = admin.get(next.get());
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            found.addAll(page.each(field));
            next = page.next();
        }
        return found;
    }
}
