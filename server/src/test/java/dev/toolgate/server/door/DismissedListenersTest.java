package dev.toolgate.server.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Open streams of clients whose key was revoked or whose log-in ended. */
@Timeout(120)
class DismissedListenersTest {
    private static final String APPROVALS = "/api/v1/approvals/stream";
    private static final String AUDIT = "/api/v1/audit/stream";
    private static final String SESSION = "/api/v1/console/session";

    @TempDir
    static Path home;

    private static RunningServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(Output::text));
        admin = server.admin();
        admin.post("/api/v1/agents", "{\"agent_id\": \"talker\"}");
        Reply granted = admin.put("/api/v1/permissions/talker/say", "{\"allowed\": true, \"requires_approval\": true}");
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {APPROVALS, AUDIT})
    void a_stream_ends_when_its_key_is_revoked(String path) throws Exception {
        String mark = UUID.randomUUID().toString(); // an event just before may arrive too
        JsonNode key = auditorsKey();
        try (LiveStream spy = LiveStream.open(server.withKey(key.path("key").asString()), path);
                LiveStream witness = LiveStream.open(admin, path)) {
            happen("before-" + mark);
            spy.readUntil("before-" + mark);

            Reply revoked = admin.delete("/api/v1/keys/" + key.path("key_id").asString());
            assertThat(revoked.status()).as(revoked.toString()).isEqualTo(204);
            happen("after-" + mark);

            assertThat(spy.readToEnd()).doesNotContain("after-" + mark);
            witness.readUntil("after-" + mark);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {APPROVALS, AUDIT})
    void a_stream_ends_when_its_log_in_ends(String path) throws Exception {
        String mark = UUID.randomUUID().toString();
        Client browser = loggedIn(auditorsKey().path("key").asString());
        try (LiveStream spy = LiveStream.open(browser, path);
                LiveStream witness = LiveStream.open(admin, path)) {
            happen("before-" + mark);
            spy.readUntil("before-" + mark);

            assertThat(browser.delete(SESSION).status()).isEqualTo(204);
            happen("after-" + mark);

            assertThat(spy.readToEnd()).doesNotContain("after-" + mark);
            witness.readUntil("after-" + mark);
        }
    }

    /** Makes one held and one recorded call. */
    private static void happen(String id) {
        Client later = admin.with("Prefer", "respond-async");
        assertThat(later.post("/api/v1/tools/execute", call("held-" + id, "say"))
                        .status())
                .isEqualTo(202);
        assertThat(admin.post("/api/v1/tools/execute", call("recorded-" + id, "bash"))
                        .status())
                .isEqualTo(403);
    }

    private static String call(String request, String tool) {
        return """
                {"request_id": "%s", "agent_id": "talker", "tool_name": "%s", "operation": "test",
                 "parameters": {"text": "hi"}}""".formatted(request, tool);
    }

    private static JsonNode auditorsKey() {
        Reply made = admin.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"ear\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made.json();
    }

    private static Client loggedIn(String key) {
        Reply done = server.anonymous().post(SESSION, "{\"key\": \"" + key + "\"}");
        assertThat(done.status()).as(done.toString()).isEqualTo(200);
        String cookie = done.header("Set-Cookie").orElseThrow();
        return server.anonymous().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }
}
