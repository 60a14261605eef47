package dev.toolgate.server.admin.audit;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
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
import tools.jackson.databind.node.ObjectNode;

/** Queries of the audit log: both orders, by orchestrators, and with the formats of common clients. */
class AuditQueryParametersTest {
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
    void the_log_can_be_paged_in_both_orders() {
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
        assertThat(orchestrator.get(LOGS + "?limit=1000").each("agent_id"))
                .contains("asked")
                .isSubsetOf("asked", "streamed", "timekeeper"); // those of other tests
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
    void times_without_zone_are_utc_and_python_booleans_are_accepted() {
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
    void the_clients_time_is_recorded_beside_the_servers() {
        server.admin().post("/api/v1/tools/execute", """
                {"request_id": "timed", "agent_id": "timekeeper", "tool_name": "say", "operation": "x",
                 "parameters": {"text": "hi"}, "timestamp": "2025-11-01T01:15:30"}""");

        JsonNode record =
                server.admin().get(LOGS + "?agent_id=timekeeper").json().path(0);
        assertThat(record.path("client_timestamp").asString()).isEqualTo("2025-11-01T01:15:30Z");
        assertThat(Instant.parse(record.path("timestamp").asString())).isAfter(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void statuses_errors_principals_and_sessions_are_filters() {
        Client admin = server.admin();
        String by = admin.get(LOGS + "?request_id=q1").each("principal").getFirst();

        assertThat(admin.get(LOGS + "?agent_id=asked&status=REFUSED").each("request_id"))
                .containsExactly("q6");
        assertThat(admin.get(LOGS + "?agent_id=asked&status=COMPLETED").each("request_id"))
                .hasSize(5);
        assertThat(admin.get(LOGS + "?agent_id=asked&error_code=PERMISSION_DENIED")
                        .each("request_id"))
                .containsExactly("q6");
        assertThat(all("?agent_id=asked&limit=2&principal=" + by)).contains("q1");
        assertThat(all("?agent_id=asked&principal=nobody")).isEmpty();
        assertThat(all("?agent_id=asked&session_id=none")).isEmpty();
        for (String wrong : new String[] {"status=DONE", "status=refused", "error_code=NO_SUCH_CODE", "session_id="}) {
            assertThat(admin.get(LOGS + "?" + wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void a_record_is_readable_by_those_who_can_list_it() {
        Client admin = server.admin();
        execute(server.as(ACME, Role.ADMIN), "of_acme", "their_agent", "say");
        String ours = LOGS + "/" + admin.get(LOGS + "?request_id=q1").each("id").getFirst();
        String change =
                LOGS + "/" + admin.get(LOGS + "?kind=administration").each("id").getFirst();
        String theirs = LOGS + "/"
                + server.as(ACME, Role.ADMIN)
                        .get(LOGS + "?request_id=of_acme")
                        .each("id")
                        .getFirst();
        Client orchestrator = server.as(FIRST, Role.ORCHESTRATOR);

        ObjectNode record = (ObjectNode) admin.get(ours).json();
        assertThat(record.remove("undo").path("undoable").asBoolean(true)).isFalse();
        assertThat(record).isEqualTo(admin.get(LOGS + "?request_id=q1").json().path(0));
        assertThat(orchestrator.get(ours).status()).isEqualTo(200);
        assertThat(admin.get(change).status()).isEqualTo(200);
        assertThat(orchestrator.get(change).status()).isEqualTo(404);
        assertThat(admin.get(theirs).status()).isEqualTo(404);
        assertThat(server.as(ACME, Role.AUDITOR).get(ours).status()).isEqualTo(404);
        assertThat(server.as(FIRST, Role.AGENT).get(ours).status()).isEqualTo(403);
        for (String none : new String[] {"0", "-1", "99999999999", "9".repeat(30), "x", "%27%20OR%20true"}) {
            assertThat(admin.get(LOGS + "/" + none).status()).as(none).isEqualTo(404);
        }
    }

    @Test
    void a_stream_resumes_after_the_last_event_id() throws Exception {
        String stream = "/api/v1/audit/stream?agent_id=streamed";
        Client auditor = server.as(FIRST, Role.AUDITOR);
        String id;
        try (LiveStream first = LiveStream.open(auditor, stream)) {
            execute(server.admin(), "s1", "streamed", "say");
            id = first.readUntil("event: record").replaceAll("(?s).*id: (\\S+)\n.*", "$1");
            first.readUntil("\n\n");
        }
        execute(server.admin(), "s2", "streamed", "say");
        execute(server.as(ACME, Role.ADMIN), "s2", "streamed", "say");
        try (LiveStream resumed = LiveStream.open(auditor.with("Last-Event-ID", id), stream)) {
            assertThat(resumed.readUntil("\n\nid: ") + resumed.readUntil("\n\n"))
                    .contains("\"request_id\":\"s2\"", "\"tenant_id\":\"default\"")
                    .doesNotContain("s1");
            execute(server.admin(), "s3", "streamed", "say");
            assertThat(resumed.readUntil("\"s3\"")).doesNotContain("\"acme\"", "\"s2\"");
        }
        assertThat(auditor.with("Last-Event-ID", "made up").get(stream).status())
                .isEqualTo(400);
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
