package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.command.Terminal;
import dev.toolgate.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One message and its answer, without a terminal. */
class ChatCommandTest {
    private static final String NO_SERVER = "http://127.0.0.1:1";
    private static final String CONFIRM = """
            {'conversationId': '%s', 'messageId': 'm', 'toolId': 't1', 'toolName': 'bash', 'input': {'command': 'ls'},
             'reason': 'It is dangerous', 'preview': 'Run:\\n\\u001b[31m ls', 'approvalId': 'q1',
             'expiresAt': '2026-01-01T01:00:00Z'}""";

    @TempDir
    private Path folder;

    private ScriptedChat server;
    private Terminal terminal;

    @BeforeEach
    void start() throws Exception {
        Files.writeString(folder.resolve("key"), "tg_some-key");
        server = new ScriptedChat();
        terminal = Terminal.at(server.url(), folder.resolve("key"));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private Terminal.Result chat(String... words) {
        return terminal.run(Stream.concat(Stream.of("chat", "--model", "x", "--provider", "claude"), Stream.of(words))
                .toArray(String[]::new));
    }

    @Test
    void the_options_are_sent_and_the_answer_is_printed() {
        server.then(talk -> {
            talk.greetAdmin();
            JsonNode sent = talk.hear("chat:send");
            assertThat(sent.path("content").asString()).isEqualTo("How are you?");
            assertThat(sent.path("conversation_id").asString()).isNotBlank();
            ObjectNode rest = ((ObjectNode) sent).without(List.of("content", "conversation_id"));
            assertThat(rest).isEqualTo(Json.MAPPER.readTree("""
                    {"model": "x", "agent_id": "writer", "provider": "claude", "system_prompt": "Briefly!",
                     "trust_level": "supervised", "session_id": "s1", "tools": ["bash", "file_read"], "max_tokens": 100,
                     "thinking_tokens": 50, "history": []}"""));
            talk.start().text("Fine, ").text("thanks.").ping();
            talk.end("[]");
        });

        Terminal.Result result = chat(("How are you? --agent writer --system Briefly! --trust supervised --session s1"
                        + " --tools bash,file_read --max-tokens 100 --thinking-tokens 50")
                .split(" "));

        assertThat(result).isEqualTo(new Terminal.Result(0, "Fine, thanks.\n", ""));
        assertThat(server.credentials()).isEqualTo("Bearer tg_some-key");
    }

    @Test
    void thoughts_and_tools_go_to_the_standard_error() {
        server.then(talk -> {
            talk.greetAgent();
            talk.hear("chat:send");
            talk.start().say("chat:thinking-delta", "{'content': 'Let me '}");
            talk.say("chat:thinking-delta", "{'content': 'see.'}").text("I look.");
            talk.say("chat:tool-start", "{'toolId': 't1', 'toolName': 'bash', 'input': {'command': 'ls'}}");
            talk.say("chat:tool-delta", "{'toolId': 't1', 'chunk': 'a.txt\\nb'}");
            talk.say("chat:tool-delta", "{'toolId': 't1', 'chunk': '.txt\\n'}");
            talk.say("chat:tool-result", "{'toolId': 't1', 'status': 'success', 'result': 'x', 'metadata': {}}");
            talk.say("chat:tool-start", "{'toolId': 't2', 'toolName': 'file_read', 'input': {}}");
            talk.say(
                    "chat:tool-result",
                    "{'toolId': 't2', 'status': 'error', 'result': 'NOT_FOUND: No such file.', 'metadata': {'code': 'NOT_FOUND'}}");
            talk.text("Two files.\n").end("[]");
        });

        Terminal.Result result = chat("What is here?");

        assertThat(result.out()).isEqualTo("I look.\nTwo files.\n");
        assertThat(result.err()).isEqualTo("""
                (thinking) Let me see.
                [bash] {"command":"ls"}
                    a.txt
                    b.txt
                [bash] ok
                [file_read] {}
                [file_read] error NOT_FOUND: No such file.
                """);
    }

    @Test
    void control_characters_of_models_and_tools_are_removed() {
        server.then(talk -> {
            talk.greetAgent();
            talk.hear("chat:send");
            talk.start().text("a\u001b[2Jb\u009bc\rd\u202ee\u0007\n\tf");
            talk.say("chat:thinking-delta", "{'content': '\\u001b]0;title\\u0007'}");
            talk.say(
                    "chat:tool-start", "{'toolId': 't1', 'toolName': 'ba\\u001b[1msh', 'input': {'a': '\\u001b[31m'}}");
            talk.say("chat:tool-delta", "{'toolId': 't1', 'chunk': '\\u001b[2J'}");
            talk.say(
                    "chat:tool-result",
                    "{'toolId': 't1', 'status': 'error', 'result': '\\u001b[2J', 'metadata': {'code': '\\u001b[2J'}}");
            talk.say(
                    "chat:error",
                    "{'message_id': 'm', 'code': 'x', 'message': 'No\\u001b[2J', 'remediation': '\\u009b'}");
        });

        Terminal.Result result = chat("Hello");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out() + result.err())
                .contains("[2J", "\n\tf")
                .doesNotContain("\u001b", "\u009b", "\u202e", "\u0007", "\r");
    }

    @Test
    void without_a_terminal_approval_requests_are_denied() {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", CONFIRM.formatted(id));
            JsonNode answer = talk.hear("chat:tool-approve");
            assertThat(answer.path("toolId").asString()).isEqualTo("t1");
            assertThat(answer.path("approved").asBoolean(true)).isFalse();
            talk.text("Then not.").end("[]");
        });

        Terminal.Result result = chat("Do it", "--agent", "writer");

        assertThat(result.out()).isEqualTo("Then not.\n");
        assertThat(result.err())
                .contains(
                        "[bash]",
                        "It is dangerous",
                        "{\"command\":\"ls\"}",
                        "    | Run:",
                        "there is no terminal to ask at")
                .doesNotContain("\u001b");
    }

    @Test
    void with_a_key_that_may_not_answer_the_command_waits_for_others() {
        server.then(talk -> {
            talk.greetAgent();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", CONFIRM.formatted(id));
            talk.say("chat:tool-start", "{'toolId': 't1', 'toolName': 'bash', 'input': {}}");
            talk.say("chat:tool-result", "{'toolId': 't1', 'status': 'success', 'result': '', 'metadata': {}}");
            talk.text("Done.").end("[]");
        });

        Terminal.Result result = chat("Do it");

        assertThat(result.out()).isEqualTo("Done.\n");
        assertThat(result.err())
                .contains(
                        "toolgate approvals approve q1",
                        "toolgate approvals deny q1",
                        "2026-01-01T01:00:00Z",
                        "[bash] ok");
    }

    @Test
    void errors_of_the_server_are_printed_with_the_remediation() {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.say(
                    "chat:error",
                    "{'message_id': null, 'code': 'X', 'message': 'There is no agent x', 'remediation': 'Add it.'}");
        });

        assertThat(chat("Hello", "--agent", "x"))
                .isEqualTo(new Terminal.Result(1, "", "toolgate: There is no agent x. Add it.\n"));
    }

    @Test
    void a_lost_server_is_reported_after_the_partial_answer() {
        server.then(talk -> {
            talk.greetAgent();
            talk.hear("chat:send");
            talk.start().text("Half of");
            talk.vanish();
        });
        server.then(talk -> {
            talk.greetAgent();
            talk.hear("chat:send");
            talk.close(1001, "stopping");
        });
        server.then(talk -> {
            talk.greetAgent();
            talk.hear("chat:send");
            talk.close(1008, "The key has been revoked\u001b[2J");
        });

        Terminal.Result vanished = chat("Hello");
        assertThat(vanished.code()).isEqualTo(1);
        assertThat(vanished.out()).isEqualTo("Half of\n");
        assertThat(vanished.err()).contains("the connection to the server").contains("was lost");

        assertThat(chat("Hello").err()).contains("has stopped");
        assertThat(chat("Hello").err())
                .contains("closed the connection: The key has been revoked")
                .doesNotContain("\u001b");
    }

    @Test
    void a_rejected_key_is_reported_with_the_servers_message() {
        server.refuses(401);

        assertThat(chat("Hello"))
                .isEqualTo(new Terminal.Result(1, "", "toolgate: The key is not valid. Send another.\n"));
    }

    @Test
    void a_server_without_chat_and_another_program_are_distinguished() {
        server.page("/api/v1/whoami", "{}").refuses(404);
        assertThat(chat("Hello").err()).contains("answered 404 to the WebSocket handshake");

        server.refuses(0);
        server.then(talk -> talk.say("hello", "{}"));
        assertThat(chat("Hello").err()).contains("is not a Toolgate server");
    }

    @Test
    void a_missing_server_is_reported_as_by_other_commands() {
        assertThat(Terminal.at(NO_SERVER, folder.resolve("key"))
                        .run("chat", "--model", "x", "--provider", "claude", "Hello")
                        .err()
                        .strip())
                .isEqualTo("toolgate: no server answers at " + NO_SERVER + "; start one with 'toolgate'");
    }

    @Test
    void missing_options_are_reported_with_a_hint() {
        server.then(ScriptedChat.Talk::greetAdmin);

        assertThat(terminal.run("chat", "--provider", "claude", "Hello").err()).contains("--model", "toolgate models");
        assertThat(chat("Hello", "--api-key-env", "TOOLGATE_NO_SUCH_VARIABLE").err())
                .contains("--api-key-env");
        assertThat(chat("  ").err()).contains("there is no message");
        Terminal.Result withoutAgent = chat("Hello");
        assertThat(withoutAgent.code()).isEqualTo(2);
        assertThat(withoutAgent.err()).contains("--agent", "toolgate agents list");
    }

    @Test
    void programs_get_every_envelope_on_a_line() {
        server.then(talk -> {
            talk.greetAgent();
            talk.hear("chat:send");
            talk.start().text("Hi").end("[]");
        });

        List<JsonNode> lines =
                chat("Hello", "--json").out().lines().map(Json.MAPPER::readTree).toList();

        assertThat(lines)
                .extracting(line -> line.path("type").asString())
                .containsExactly("chat:stream-start", "chat:text-delta", "chat:stream-end");
    }

    @Test
    void the_users_own_key_is_read_from_the_environment_and_never_printed() {
        // A variable that every process has and that is not secret.
        String value = System.getenv("PATH").strip();
        server.then(talk -> {
            talk.greetAgent();
            assertThat(talk.hear("chat:send").path("api_key").asString()).isEqualTo(value);
            talk.start().end("[]");
        });

        Terminal.Result result = chat("Hello", "--api-key-env", "PATH");

        assertThat(result.code()).isZero();
        assertThat(result.out() + result.err()).doesNotContain(value);
    }
}
