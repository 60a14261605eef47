package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.openapi.DocumentedEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tools in conversations: which are offered, which need approval, and their events. */
class ChatToolsTest {
    @TempDir
    static Path home;

    private static ChatTrial trial;
    private static AgentId writer;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(home, Map.of("approvals.timeout", "5m"));
        writer = trial.agent("writer", "guided", "file_read", "file_write", "bash");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    @Test
    void only_the_agents_tools_are_offered_or_the_subset_the_client_names() {
        trial.says(words("a"), words("b"), words("c"));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("offer", "Hello"));
            client.awaitEnd("offer");
            assertThat(trial.offered()).containsExactly("bash", "file_read", "file_write");
            client.say(message("offer", "Hello").with("tools", Json.MAPPER.readTree("[\"ReadFile\", \"browse_web\"]")));
            client.awaitEnd("offer");
            assertThat(trial.offered()).containsExactly("file_read");
            client.say(message("offer", "Hello").with("tools", Json.MAPPER.readTree("[]")));
            client.awaitEnd("offer");
            assertThat(trial.offered()).as("the safe defaults").containsExactly("file_read");
        }
    }

    @Test
    void a_tool_that_was_not_offered_is_refused_although_it_is_granted() {
        trial.says(calls(call("c1", "file_read", "path", "x.txt")), words("No."));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("scoped", "Read").with("tools", Json.MAPPER.readTree("[\"bash\"]")));
            ChatEnvelope result = client.await("chat:tool-result");
            assertThat(result.text("status")).isEqualTo("denied");
            assertThat(result.payload().path("metadata").path("code").asString())
                    .isEqualTo("PERMISSION_DENIED");
            assertThat(result.payload().path("metadata").path("toolName").asString())
                    .isEqualTo("file_read");
            client.awaitEnd("scoped");
            assertThat(client.types()).as("it never ran").doesNotContain("chat:tool-start");
        }
    }

    @Test
    void tools_of_a_message_are_limited_to_its_paths_and_time_out() throws Exception {
        Files.createDirectories(home.resolve("workspace/docs"));
        Files.writeString(home.resolve("workspace/docs/open.txt"), "may be read");
        Files.writeString(home.resolve("workspace/closed.txt"), "may not be read");
        trial.agent("scoped", "autonomous", "file_read", "bash");
        trial.says(
                calls(
                        call("c1", "file_read", "path", "docs/open.txt"),
                        call("c2", "file_read", "path", "closed.txt"),
                        call("c3", "bash", "command", "sleep 60")),
                words("Done."));
        try (ChatClient client = trial.as(new AgentId("scoped"))) {
            client.say(message("limits", "Work").with("tools", Json.MAPPER.readTree("""
                    [{"name": "ReadFile", "paths": ["docs/**"]}, {"name": "bash", "timeout": "1s"}]""")));

            assertThat(client.await("chat:tool-result", "c1").text("result")).isEqualTo("may be read");
            ChatEnvelope closed = client.await("chat:tool-result", "c2");
            assertThat(closed.text("status")).isNotEqualTo("success");
            assertThat(closed.text("result")).doesNotContain("may not be read");
            assertThat(client.await("chat:tool-result", "c3").text("result")).contains("TOOL_EXECUTION_TIMEOUT");
            client.awaitEnd("limits");
        }
    }

    @Test
    void a_scope_with_permissions_by_name_is_understood() {
        trial.says(words("a"), words("b"));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("permits", "Hello").with("tools", Json.MAPPER.readTree("""
                    {"permissions": {"file_read": {"allowed": true, "timeout": "1m30s"}, "bash": {"allowed": false}}}""")));
            client.awaitEnd("permits");
            assertThat(trial.offered()).containsExactly("file_read");
            client.say(message("permits", "Hello").with("tools", Json.MAPPER.readTree("{\"permissions\": {}}")));
            client.awaitEnd("permits");
            assertThat(trial.offered()).as("the safe defaults").containsExactly("file_read");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"file_read\"",
                "[\"nothing\"]",
                "[{\"paths\": [\"a\"]}]",
                "[{\"name\": \"file_read\", \"paths\": []}]",
                "[{\"name\": \"file_read\", \"timeout\": \"soon\"}]",
                "[{\"name\": \"file_read\", \"colour\": \"red\"}]",
                "[\"file_read\", \"file_read\"]",
                "{\"permissions\": {\"file_read\": true}}"
            })
    void an_invalid_scope_is_refused_in_its_conversation(String tools) {
        try (ChatClient client = trial.as(writer)) {
            client.say(message("odd", "Hello").with("tools", Json.MAPPER.readTree(tools)));

            ChatEnvelope error = client.await("chat:error");
            assertThat(error.text("code")).isEqualTo("INVALID_REQUEST");
            assertThat(error.text("message")).contains("tools");
            assertThat(error.text("conversation_id")).isEqualTo("odd");
        }
    }

    @Test
    void a_safe_tool_runs_and_its_result_goes_back_to_the_model() throws Exception {
        Files.writeString(home.resolve("workspace/greeting.txt"), "hello from a file");
        trial.says(calls(call("c1", "file_read", "path", "greeting.txt")), words("It says hello."));
        try (ChatClient client = trial.as(writer)) {
            client.say(message("reading", "What does it say?"));
            client.awaitEnd("reading");

            assertThat(client.events().stream().map(ChatEnvelope::type))
                    .containsSubsequence(
                            "chat:stream-start",
                            "chat:tool-start",
                            "chat:tool-result",
                            "chat:text-delta",
                            "chat:stream-end")
                    .doesNotContain("chat:tool-confirm");
            ChatEnvelope started = client.await("chat:tool-start");
            assertThat(started.payload().propertyNames())
                    .containsExactly("conversationId", "messageId", "toolId", "toolName", "input");
            ChatEnvelope result = client.await("chat:tool-result");
            assertThat(result.text("status")).isEqualTo("success");
            assertThat(result.text("result")).isEqualTo("hello from a file");
            assertThat(trial.toolResult("c1")).isEqualTo("hello from a file");
            assertThat(trial.lastRecord("file_read").path("agent_id").asString())
                    .isEqualTo("writer");
        }
    }

    @Test
    void a_dangerous_tool_waits_for_an_approval_that_is_recorded() throws Exception {
        trial.says(calls(call("c1", "file_write", "path", "yes.txt", "content", "written")), words("Done."));
        try (ChatClient person = trial.as(Role.ADMIN)) {
            person.say(message("yes", "Write it").with("agent_id", "writer"));
            ChatEnvelope asked = person.await("chat:tool-confirm");
            assertThat(asked.text("preview")).contains("+written");
            assertThat(asked.text("reason")).contains("dangerous");
            assertThat(home.resolve("workspace/yes.txt")).doesNotExist();

            person.approve("c1");
            person.awaitEnd("yes");

            assertThat(home.resolve("workspace/yes.txt")).hasContent("written");
            assertThat(person.events().stream().map(ChatEnvelope::type))
                    .containsSubsequence("chat:tool-confirm", "chat:tool-start", "chat:tool-result");
            assertThat(trial.lastRecord("file_write").path("approved_by").asString())
                    .startsWith("key:");
        }
    }

    @Test
    void a_requested_trust_level_can_only_be_stricter() {
        trial.says(calls(call("c1", "file_read", "path", "a.txt")), words("a"));
        try (ChatClient person = trial.as(Role.ADMIN)) {
            person.say(message("strict", "Read").with("agent_id", "writer").with("trust_level", "supervised"));
            person.await("chat:tool-confirm");
            person.reject("c1", "not now");
            assertThat(person.await("chat:tool-result").text("result")).contains("APPROVAL_DENIED", "not now");
            person.awaitEnd("strict");

            trial.says(calls(call("c2", "file_write", "path", "free.txt", "content", "x")), words("b"));
            person.say(message("free", "Write").with("agent_id", "writer").with("trust_level", "autonomous"));
            person.await("chat:tool-confirm", "c2");
            person.reject("c2", "no");
            person.awaitEnd("free");
            assertThat(home.resolve("workspace/free.txt")).doesNotExist();
        }
    }

    @Test
    void long_output_of_a_tool_is_seen_while_it_runs() {
        trial.says(
                calls(call("c1", "bash", "command", "echo first; while [ ! -e go ]; do sleep 0.05; done; echo second")),
                words("Done."));
        try (ChatClient person = trial.as(Role.ADMIN)) {
            person.say(message("live", "Run").with("agent_id", "writer"));
            person.await("chat:tool-confirm");
            person.approve("c1");
            assertThat(person.await("chat:tool-delta").text("chunk")).startsWith("first");
            person.cancel("live");
            assertThat(person.awaitEnd("live").payload().path("partial").asBoolean())
                    .isTrue();
            ChatEnvelope result = person.await("chat:tool-result", "c1");
            assertThat(result.text("status")).isEqualTo("error");
            assertThat(result.text("result")).contains("cancelled");
            assertThat(person.types()).containsSubsequence("chat:tool-start", "chat:tool-result", "chat:stream-end");
        }
    }

    @Test
    void every_type_of_message_is_as_documented_in_both_directions() {
        trial.says(
                calls(call("c1", "bash", "command", "echo first; while true; do sleep 0.05; done")),
                words("Never said."));
        try (ChatClient person = trial.as(Role.ADMIN)) {
            send(
                    person,
                    "chat:send",
                    message("all", "Run").with("agent_id", "writer").payload());
            ChatEnvelope asked = person.await("chat:tool-confirm");
            send(
                    person,
                    "chat:tool-approve",
                    Json.MAPPER
                            .createObjectNode()
                            .put("toolId", "c1")
                            .put("approved", true)
                            .put("approvalId", asked.text("approvalId"))
                            .put("conversationId", "all")
                            .put("reason", "as asked")
                            .put("scope", "once"));
            person.await("chat:tool-delta");
            send(person, "chat:cancel", Json.MAPPER.createObjectNode().put("conversation_id", "all"));
            person.awaitEnd("all");
            trial.says(new ChatTrial.Said(ChatTrial.FRAMES.thinking("Seven sixes.", "It is 42.")));
            send(
                    person,
                    "chat:send",
                    message("all", "Think")
                            .with("agent_id", "writer")
                            .with("include_messages", Json.MAPPER.readTree("true"))
                            .with("history", Json.MAPPER.readTree("[{\"role\": \"user\", \"content\": \"Run\"}]"))
                            .with("trust_level", "guided")
                            .with(
                                    "tools",
                                    Json.MAPPER.readTree(
                                            "[\"file_read\", {\"name\": \"bash\", \"timeout\": \"1m30s\"}]"))
                            .payload());
            assertThat(person.awaitEnd("all").payload().path("messages")).hasSize(2);
            person.sendText("{}");
            person.await("chat:error");

            assertThat(person.types()).containsAll(DocumentedEvents.types("ChatServerMessage"));
        }
    }

    /** Sends a message that must be valid by the API document; received messages are always checked. */
    private static void send(ChatClient client, String type, ObjectNode payload) {
        DocumentedEvents.checkClientMessage(
                Json.MAPPER.createObjectNode().put("type", type).set("payload", payload));
        client.send(type, payload);
    }
}
