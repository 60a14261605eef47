package dev.toolgate.server.admin.audit;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How the audit log can be asked: in both orders, by orchestrators, and in the words of common clients. */
class AuditQuestionTest {
    private static final String LOGS = "/api/v1/audit/logs";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(Output::text));
        server.admin().put("/api/v1/permissions/asked/say", "{\"allowed\": true}");
        for (int i = 1; i <= 5; i++) {
            execute(server.as(FIRST, Role.ORCHESTRATOR), "q" + i, "asked", "say");
        }
        execute(server.as(FIRST, Role.ORCHESTRATOR), "q6", "asked", "bash");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void pages_lead_through_the_log_in_both_orders() {
        List<String> oldestFirst = List.of("q1", "q2", "q3", "q4", "q5", "q6");

        assertThat(all("?agent_id=asked&limit=2&order=asc")).isEqualTo(oldestFirst);
        assertThat(all("?agent_id=asked&limit=2&order=desc")).isEqualTo(oldestFirst.reversed());
        assertThat(all("?agent_id=asked&limit=4")).isEqualTo(oldestFirst.reversed());
        assertThat(server.admin().get(LOGS + "?order=sideways").status()).isEqualTo(400);
    }

    @Test
    void an_orchestrator_reads_the_records_of_agents_and_no_others() {
        Client orchestrator = server.as(FIRST, Role.ORCHESTRATOR);
        execute(server.as(ACME, Role.ADMIN), "theirs", "their_agent", "say");
        assertThat(server.as(FIRST, Role.OPERATOR)
                        .upload("/workspaces/ws/artifacts", "text/plain", BodyPublishers.ofString("of a person"))
                        .status())
                .isEqualTo(201);

        assertThat(orchestrator.get(LOGS + "?agent_id=asked").each("request_id"))
                .hasSize(6);
        assertThat(orchestrator.get(LOGS + "?limit=1000").each("agent_id")).containsOnly("asked");
        assertThat(server.admin().get(LOGS + "?tool_name=artifacts").json()).isNotEmpty();
        assertThat(orchestrator.get(LOGS + "?tool_name=artifacts").text()).isEqualTo("[]");
        assertThat(server.admin().get(LOGS + "?kind=administration").json()).isNotEmpty();
        assertThat(orchestrator.get(LOGS + "?kind=administration").text()).isEqualTo("[]");
        for (String more : new String[] {"/api/v1/audit/export", "/api/v1/audit/costs", "/api/v1/audit/verify"}) {
            assertThat(orchestrator.get(more).status()).as(more).isEqualTo(403);
        }
        assertThat(server.as(FIRST, Role.AGENT).get(LOGS).status()).isEqualTo(403);
    }

    @Test
    void a_time_without_a_zone_is_utc_and_python_s_booleans_are_taken() {
        String now = Instant.now().plusSeconds(60).toString().substring(0, 19);

        assertThat(server.admin().get(LOGS + "?agent_id=asked&end_date=" + now).json())
                .hasSize(6);
        assertThat(server.admin()
                        .get(LOGS + "?agent_id=asked&start_date=" + now)
                        .json())
                .isEmpty();
        assertThat(server.admin()
                        .get(LOGS + "?agent_id=asked&start_date=2020-01-01T00:00:00%2B23:59")
                        .json())
                .hasSize(6);
        assertThat(server.admin().get(LOGS + "?agent_id=asked&allowed=True").json())
                .hasSize(5);
        assertThat(server.admin().get(LOGS + "?agent_id=asked&allowed=False").json())
                .hasSize(1);
        for (String wrong : new String[] {"start_date=", "start_date=yesterday", "allowed=", "allowed=yes", "limit="}) {
            assertThat(server.admin().get(LOGS + "?" + wrong).status())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }

    @Test
    void the_time_a_client_says_is_kept_beside_the_server_s_own() {
        server.admin().post("/api/v1/tools/execute", """
                {"request_id": "timed", "agent_id": "timekeeper", "tool_name": "say", "operation": "x",
                 "parameters": {"text": "hi"}, "timestamp": "2025-11-01T01:15:30"}""");

        JsonNode record =
                server.admin().get(LOGS + "?agent_id=timekeeper").json().path(0);
        assertThat(record.path("client_timestamp").asString()).isEqualTo("2025-11-01T01:15:30Z");
        assertThat(Instant.parse(record.path("timestamp").asString())).isAfter(Instant.parse("2026-01-01T00:00:00Z"));
    }

    private static List<String> all(String query) {
        List<String> found = new ArrayList<>();
        Optional<String> next = Optional.of(LOGS + query);
        while (next.isPresent()) {
            Reply page = server.admin().get(next.get());
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            found.addAll(page.each("request_id"));
            next = page.next();
        }
        return found;
    }

    private static void execute(Client client, String request, String agent, String tool) {
        client.post("/api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "x",
                 "parameters": {"text": "hi"}}""".formatted(request, agent, tool));
    }
}
