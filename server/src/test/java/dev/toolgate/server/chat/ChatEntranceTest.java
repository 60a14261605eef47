package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Which clients may open a WebSocket, and when the server closes it. */
class ChatEntranceTest {
    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId victim;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(home, Map.of("dialect.chat.allowed_origins", "http://known.example"));
        victim = trial.agent("victim", "guided", "file_write", "file_read", "bash");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    private static int refusal(Map<String, String> headers) {
        try (ChatClient opened = ChatClient.connect(trial.server.url(), headers)) {
            opened.await("connection:status");
            return 101;
        } catch (ChatClient.Refused refused) {
            return refused.status();
        }
    }

    @Test
    void a_connection_needs_a_key() {
        assertThat(refusal(Map.of())).isEqualTo(401);
        assertThat(refusal(Map.of("Authorization", "Bearer tg_wrongwrongwrongwrongwrong")))
                .isEqualTo(401);
    }

    @Test
    void a_page_of_another_origin_is_refused_even_with_a_key() {
        String key = "Bearer " + trial.key(RunningServer.FIRST, victim);
        String own = trial.server.url();
        assertThat(refusal(Map.of("Authorization", key, "Origin", "http://evil.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Authorization", key, "Origin", "null"))).isEqualTo(403);
        assertThat(refusal(Map.of("Authorization", key, "Origin", own + ".evil.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Authorization", key, "Origin", "http://known.example")))
                .isEqualTo(101);
        assertThat(refusal(Map.of("Authorization", key, "Origin", own))).isEqualTo(101);
    }

    @Test
    void a_console_log_in_opens_sockets_from_the_console_only() {
        String key = trial.server.key(RunningServer.FIRST, Role.ADMIN, null);
        Reply session = trial.server.anonymous().post("/api/v1/console/session", "{\"key\": \"" + key + "\"}");
        String cookie = session.header("Set-Cookie").orElseThrow().split(";", 2)[0];
        String own = trial.server.url();
        assertThat(refusal(Map.of("Cookie", cookie, "Origin", own))).isEqualTo(101);
        assertThat(refusal(Map.of("Cookie", cookie, "Origin", "http://known.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Cookie", cookie, "Origin", "http://evil.example")))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Cookie", cookie))).isEqualTo(403);
    }

    private static int refusal(Map<String, String> headers, String... protocols) {
        try (ChatClient opened = ChatClient.connect(trial.server.url(), headers, List.of(protocols))) {
            opened.await("connection:status");
            assertThat(opened.protocol()).isEqualTo("toolgate.chat");
            return 101;
        } catch (ChatClient.Refused refused) {
            return refused.status();
        }
    }

    @Test
    void a_page_of_an_allowed_origin_may_send_its_key_as_a_subprotocol() {
        String key = "toolgate.key." + trial.key(RunningServer.FIRST, victim);
        String own = trial.server.url();

        assertThat(refusal(Map.of("Origin", "http://known.example"), "toolgate.chat", key))
                .isEqualTo(101);
        assertThat(refusal(Map.of("Origin", own), key, "toolgate.chat")).isEqualTo(101);
    }

    @Test
    void a_key_as_a_subprotocol_opens_no_socket_for_other_pages() {
        String key = "toolgate.key." + trial.key(RunningServer.FIRST, victim);

        assertThat(refusal(Map.of("Origin", "http://evil.example"), "toolgate.chat", key))
                .isEqualTo(403);
        assertThat(refusal(Map.of("Origin", "null"), "toolgate.chat", key)).isEqualTo(403);
        assertThat(refusal(Map.of(), "toolgate.chat", key)).isEqualTo(403);
    }

    @Test
    void a_wrong_key_as_a_subprotocol_is_refused_without_quoting_it() {
        Map<String, String> page = Map.of("Origin", "http://known.example");
        String key = "toolgate.key." + trial.key(RunningServer.FIRST, victim);

        assertThat(refusal(page, "toolgate.chat", "toolgate.key.tg_wrongwrongwrongwrongwrong"))
                .isEqualTo(401);
        assertThat(refusal(page, "toolgate.chat")).isEqualTo(401);
        assertThat(refusal(page, key)).as("no subprotocol to select").isEqualTo(400);
        assertThat(refusal(page, "toolgate.chat", key, key + "x")).isEqualTo(400);
        Reply plain = trial.server
                .anonymous()
                .with("Sec-WebSocket-Protocol", "toolgate.chat, " + key)
                .get("/api/v1/agents");
        assertThat(plain.status()).as("accepted for WebSockets only").isEqualTo(401);
        assertThat(plain.toString()).doesNotContain(key);
    }

    private static JsonNode keyOf(String agent) {
        String made = trial.server
                .admin()
                .post("/api/v1/keys", "{\"role\": \"agent\", \"agent_id\": \"" + agent + "\", \"name\": \"k\"}")
                .text();
        return Json.MAPPER.readTree(made);
    }

    private static void revoke(JsonNode key) {
        assertThat(trial.server
                        .admin()
                        .delete("/api/v1/keys/" + key.path("key_id").asString())
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_revoked_key_ends_the_connection_and_what_runs_in_it() {
        trial.agent("fired", "autonomous", "bash");
        JsonNode key = keyOf("fired");
        trial.beginsToSay("Working");
        ChatClient client =
                ChatClient.connect(trial.server.url(), key.path("key").asString());
        client.say(message("running", "Work"));
        client.await("chat:text-delta");
        int cut = trial.model.closedByClient();
        revoke(key);
        client.say(message("more", "And this"));
        assertThat(client.await("chat:error").text("code")).isEqualTo("UNAUTHORIZED");
        assertThat(client.awaitClose().code()).isEqualTo(1008);
        await().until(() -> trial.model.closedByClient() > cut);
    }

    @Test
    void after_revocation_no_model_request_is_made_for_a_silent_client() throws Exception {
        silentlyRevoked("silent");
    }

    @Test
    void after_revocation_no_tool_runs_for_a_silent_client() throws Exception {
        silentlyRevoked("busy", call("next", "bash", "command", "touch after-busy"));
        assertThat(home.resolve("workspace/after-busy")).doesNotExist();
    }

    /** Revokes a key while a tool runs, and checks that everything ends after it. */
    private static void silentlyRevoked(String agent, ToolCall... further) throws Exception {
        trial.agent(agent, "autonomous", "bash");
        JsonNode key = keyOf(agent);
        Path go = home.resolve("workspace/go-" + agent);
        Path began = home.resolve("workspace/began-" + agent);
        String command = "touch began-" + agent + "; while [ ! -e go-" + agent + " ]; do sleep 0.05; done";
        ToolCall[] all = Stream.concat(Stream.of(call("wait", "bash", "command", command)), Stream.of(further))
                .toArray(ToolCall[]::new);
        trial.says(calls(all), words("Nobody pays for this."));
        ChatClient client =
                ChatClient.connect(trial.server.url(), key.path("key").asString());
        int before = trial.model.requests().size();
        client.say(message(agent, "Work"));
        await().until(() -> Files.exists(began));
        revoke(key);
        Files.createFile(go);

        assertThat(client.await("chat:error").text("code")).isEqualTo("UNAUTHORIZED");
        assertThat(client.awaitClose().code()).isEqualTo(1008);
        assertThat(client.types().stream().filter("chat:error"::equals)).hasSize(1);
        assertThat(trial.model.requests()).hasSize(before + 1);
    }

    @Test
    void binary_or_too_long_messages_end_the_connection() {
        try (ChatClient client = trial.as(victim)) {
            client.sendBinary(new byte[] {1, 2, 3});
            assertThat(client.awaitClose().code()).isEqualTo(1003);
        }
        try (ChatClient client = trial.as(victim)) {
            try {
                client.sendText("x".repeat((4 << 20) + 1));
            } catch (CompletionException cutOff) {
                // the server may close before it has read everything
            }
            assertThat(client.awaitClose().code()).isIn(1009, 1006);
        }
    }
}
