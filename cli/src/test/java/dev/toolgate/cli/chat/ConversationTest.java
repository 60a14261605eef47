package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.command.DeafServer;
import dev.toolgate.cli.terminal.Ink;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** What is said of a server that does not do its part. */
class ConversationTest {
    private final PrintWriter paper = new PrintWriter(new StringWriter());
    private ScriptedChat server;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedChat();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private void connect(Happenings happenings) throws IOException {
        try (TerminalConversation conversation = new TerminalConversation(
                server.address(), new Key("tg_k"), new TextScreen(paper, paper, new Ink("", "")), null, happenings)) {
            conversation.connect();
        }
    }

    @Test
    void one_that_says_nothing_is_told_from_something_else_at_its_address() {
        server.then(_ -> {});
        assertThatThrownBy(() -> connect(new Happenings(Duration.ofMillis(50))))
                .hasMessage(
                        "the server at " + server.url() + " did not answer in time; see what 'toolgate health' says");

        server.then(talk -> talk.say("hello", "{}"));
        assertThatThrownBy(() -> connect(new Happenings()))
                .hasMessage("what answers at " + server.url() + " is not a Toolgate server; check the address");

        server.then(talk -> talk.close(1001, ""));
        assertThatThrownBy(() -> connect(new Happenings())).hasMessageContaining("has stopped; start it again");
    }

    @Test
    void ctrl_c_is_nobodys_fault() {
        Happenings happenings = new Happenings();
        server.then(_ -> happenings.add(new Happening.Interrupted()));

        assertThatThrownBy(() -> connect(happenings)).hasMessage("stopped; send the message again");
    }

    @Test
    void a_line_that_was_typed_for_something_else_is_not_the_servers_word() throws IOException {
        Happenings happenings = new Happenings();
        Keyboard keyboard = new Keyboard(new TypedLines(), _ -> {});
        happenings.add(new Happening.Typed(keyboard.read(Keyboard.Purpose.MESSAGE, _ -> {}), "y"));
        server.then(ScriptedChat.Talk::greetAdmin);

        connect(happenings);

        assertThat(server.credentials()).isEqualTo("Bearer tg_k");
    }

    @Test
    @Timeout(60)
    void one_that_takes_nothing_is_not_waited_for_without_end() throws Exception {
        ObjectNode long3 = Json.MAPPER.createObjectNode().put("content", "x".repeat(3 * 1024 * 1024));
        try (DeafServer deaf = new DeafServer();
                ChatSocket connection =
                        ChatSocket.open(deaf.address(), new Key("tg_k"), _ -> {}, Duration.ofMillis(300))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            connection.send("chat:send", long3);
                        }
                    })
                    .hasMessage("the connection to the server was lost; send the message again");
        }
    }
}
