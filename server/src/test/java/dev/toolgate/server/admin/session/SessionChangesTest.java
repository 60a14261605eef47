package dev.toolgate.server.admin.session;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The changed files of sessions over HTTP. */
class SessionChangesTest {
    private static final String FILES = "{\"name\": \"File.Write\"}, {\"name\": \"File.Delete\"}";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        for (Client admin : new Client[] {server.admin(), server.as(ACME, Role.ADMIN)}) {
            admin.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
            admin.post("/api/v1/agents", "{\"agent_id\": \"agent_2\"}");
            admin.put("/api/v1/permissions/agent_1/file_write", "{\"allowed\": true}");
            admin.put("/api/v1/permissions/agent_1/file_delete", "{\"allowed\": true}");
        }
        PolicySession.of("one", "agent_1", FILES).startedBy(server.admin());
        PolicySession.of("two", "agent_1", FILES).startedBy(server.admin());
        PolicySession.of("theirs", "agent_2", FILES).startedBy(server.admin());
        PolicySession.of("one", "agent_1", FILES).ofTenant("acme").startedBy(server.as(ACME, Role.ADMIN));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void each_session_shows_its_own_changes_as_diffs() {
        write(server.admin(), "one", "a.txt", "first\\n");
        write(server.admin(), "one", "gone.txt", "x");
        call(server.admin(), "one", "file_delete", "{\"path\": \"gone.txt\"}");
        write(server.admin(), "two", "a.txt", "second\\n");
        write(server.as(ACME, Role.ADMIN), "one", "acme.txt", "of acme\\n");

        JsonNode one = changes(server.admin(), "one");
        assertThat(one.path("files")).hasSize(1);
        assertThat(one.path("files").path(0).path("path").asString()).isEqualTo("a.txt");
        assertThat(one.path("files").path(0).path("change").asString()).isEqualTo("added");
        assertThat(one.path("files").path(0).path("diff").asString())
                .contains("--- /dev/null", "+++ b/a.txt", "+second");

        JsonNode two = changes(server.admin(), "two");
        assertThat(two.path("files").path(0).path("change").asString()).isEqualTo("modified");
        assertThat(two.path("files").path(0).path("diff").asString()).contains("-first", "+second");

        assertThat(changes(server.as(ACME, Role.ADMIN), "one").toString())
                .contains("acme.txt")
                .doesNotContain("a.txt\"");
        assertThat(changes(server.admin(), "theirs").path("files")).isEmpty();
    }

    @Test
    void an_agent_sees_the_changes_of_its_own_sessions_only() {
        Client agent = server.as(FIRST, Role.AGENT);

        assertThat(agent.get("/api/v1/sessions/one/changes").status()).isEqualTo(200);
        assertThat(agent.get("/api/v1/sessions/theirs/changes").status()).isEqualTo(404);
        assertThat(agent.get("/api/v1/sessions/never/changes").status()).isEqualTo(404);
        assertThat(server.anonymous().get("/api/v1/sessions/one/changes").status())
                .isEqualTo(401);
    }

    private static JsonNode changes(Client client, String session) {
        Reply reply = client.get("/api/v1/sessions/" + session + "/changes");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json();
    }

    private static void write(Client client, String session, String path, String content) {
        call(client, session, "file_write", "{\"path\": \"" + path + "\", \"content\": \"" + content + "\"}");
    }

    private static void call(Client client, String session, String tool, String parameters) {
        Reply reply = client.post(
                "/api/v1/tools/execute",
                "{\"request_id\": \"" + UUID.randomUUID() + "\", \"agent_id\": \"agent_1\", \"tool_name\": \""
                        + tool + "\", \"operation\": \"x\", \"session_id\": \"" + session + "\", \"parameters\": "
                        + parameters + "}");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    }
}
