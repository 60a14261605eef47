package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.command.NonReadingServer;
import dev.toolgate.cli.terminal.TerminalStyle;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** Error messages for servers that misbehave. */
class ConversationTest {
    private final PrintWriter output = new PrintWriter(new StringWriter());
    private ScriptedChat server;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedChat();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private TerminalConversation conversation(TerminalEvents events) {
        return new TerminalConversation(
                server.address(),
                new Key("tg_k"),
                new TextScreen(output, output, new TerminalStyle("", "")),
                null,
                events);
    }

    private void connect(TerminalEvents events) throws IOException {
        try (TerminalConversation conversation = conversation(events)) {
            conversation.connect();
        }
    }

    @Test
    void a_silent_server_and_another_program_are_distinguished() {
        server.then(_ -> {});
        assertThatThrownBy(() -> connect(new TerminalEvents(Duration.ofMillis(50))))
                .hasMessage(
                        "the server at " + server.url() + " did not answer in time; see what 'toolgate health' says");

        server.then(talk -> talk.say("hello", "{}"));
        assertThatThrownBy(() -> connect(new TerminalEvents()))
                .hasMessage("the program at " + server.url() + " is not a Toolgate server; check the address");

        server.then(talk -> talk.close(1001, ""));
        assertThatThrownBy(() -> connect(new TerminalEvents())).hasMessageContaining("has stopped; restart it");
    }

    @Test
    void ctrl_c_while_connecting_is_reported_as_stopped() {
        TerminalEvents events = new TerminalEvents();
        server.then(_ -> events.add(new TerminalEvent.Interrupted()));

        assertThatThrownBy(() -> connect(events)).hasMessage("stopped; send the message again");
    }

    @Test
    void a_line_typed_before_connecting_is_ignored() throws Exception {
        TerminalEvents events = new TerminalEvents();
        Keyboard keyboard = new Keyboard(new TypedLines(), _ -> {});
        events.add(new TerminalEvent.LineTyped(keyboard.read(Keyboard.Purpose.MESSAGE, _ -> {}), "y"));
        CountDownLatch greeted = new CountDownLatch(1);
        server.then(talk -> {
            talk.greetAdmin();
            greeted.countDown();
        });

        try (TerminalConversation conversation = conversation(events)) {
            conversation.connect();
            // Closing earlier could interrupt the server while it sends its greeting.
            assertThat(greeted.await(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(server.credentials()).isEqualTo("Bearer tg_k");
    }

    @Test
    @Timeout(60)
    void sending_to_a_server_that_does_not_read_times_out() throws Exception {
        ObjectNode long3 = Json.MAPPER.createObjectNode().put("content", "x".repeat(3 * 1024 * 1024));
        try (NonReadingServer nonReading = new NonReadingServer();
                ChatSocket connection =
                        ChatSocket.open(nonReading.address(), new Key("tg_k"), _ -> {}, Duration.ofMillis(300))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            connection.send("chat:send", long3);
                        }
                    })
                    .hasMessage("the connection to the server was lost; send the message again");
        }
    }
}
