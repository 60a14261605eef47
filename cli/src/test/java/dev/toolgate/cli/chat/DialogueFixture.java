package dev.toolgate.cli.chat;

import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.terminal.TerminalStyle;
import dev.toolgate.core.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A dialogue at a terminal whose lines the test types. */
public abstract class DialogueFixture {
    private final StringWriter seen = new StringWriter() {
        @Override
        public void write(String text, int from, int length) {
            super.write(text, from, length);
            if (text.startsWith("Allow?")) {
                atQuestion.run();
            }
        }
    };
    private final PrintWriter output = new PrintWriter(seen, true);
    public final TypedLines person = new TypedLines();
    final TerminalEvents events = new TerminalEvents();
    final TextScreen screen = new TextScreen(output, output, new TerminalStyle("<", ">"));
    private final Keyboard keyboard = new Keyboard(person, events::add);
    private TerminalConversation conversation;
    public ScriptedChat server;
    CompletableFuture<Optional<AnswerEnd>> dialogue = new CompletableFuture<>();
    /** Runs as soon as a question is on the screen. */
    public Runnable atQuestion = () -> {};

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedChat();
        conversation = new TerminalConversation(server.address(), new Key("tg_k"), screen, keyboard, events);
    }

    @AfterEach
    void stop() throws Exception {
        conversation.close();
        server.stop();
    }

    void begin() {
        dialogue = CompletableFuture.supplyAsync(() -> {
            try {
                conversation.connect();
                return new Dialogue(conversation, screen, keyboard, events)
                        .hold(Json.MAPPER.createObjectNode().put("model", "x"));
            } catch (Exception mistake) {
                throw new IllegalStateException(mistake);
            }
        });
    }

    void type(String... lines) {
        person.type(lines);
    }

    void end() throws Exception {
        person.end();
        dialogue.get(60, TimeUnit.SECONDS);
    }

    String seen() {
        return seen.toString();
    }

    void awaitSeen(String text) {
        await().atMost(Duration.ofMinutes(1)).until(seen::toString, all -> all.contains(text));
    }

    static String confirm(String conversation, String tool) {
        return "{'conversationId': '" + conversation + "', 'toolId': '" + tool + "', 'toolName': '" + tool
                + "', 'input': {}, 'reason': 'Dangerous', 'preview': null, 'approvalId': 'q', 'expiresAt': 'soon'}";
    }

    static String result(String tool) {
        return "{'toolId': '" + tool + "', 'status': 'success', 'result': '', 'metadata': {}}";
    }
}
