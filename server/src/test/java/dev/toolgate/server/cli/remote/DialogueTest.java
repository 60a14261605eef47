package dev.toolgate.server.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.schema.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A person at a terminal, whose lines come when the test types them. */
class DialogueTest {
    private final StringWriter seen = new StringWriter();
    private final PrintWriter screenPaper = new PrintWriter(seen, true);
    private final TypedLines person = new TypedLines();
    private final Happenings happenings = new Happenings();
    private final Keyboard keyboard = new Keyboard(person, happenings::add);
    private final TextScreen screen = new TextScreen(screenPaper, screenPaper, new Ink("<", ">"));
    private ScriptedChat server;
    private Conversation conversation;
    private CompletableFuture<Optional<AnswerEnd>> dialogue = new CompletableFuture<>();

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedChat();
        conversation = new Conversation(server.address(), new Key("tg_k"), screen, keyboard, happenings);
    }

    @AfterEach
    void stop() throws Exception {
        conversation.close();
        server.stop();
    }

    private void begin() {
        dialogue = CompletableFuture.supplyAsync(() -> {
            try {
                conversation.connect();
                return new Dialogue(conversation, screen, keyboard, happenings)
                        .hold(Json.MAPPER.createObjectNode().put("model", "x"));
            } catch (Exception mistake) {
                throw new IllegalStateException(mistake);
            }
        });
    }

    private void type(String line) {
        person.lines.add(Optional.of(line));
    }

    private void end() throws Exception {
        person.lines.add(Optional.empty());
        dialogue.get(20, TimeUnit.SECONDS);
    }

    private void awaitSeen(String text) {
        await().until(seen::toString, all -> all.contains(text));
    }

    private static String confirm(String conversation, String tool) {
        return "{'conversationId': '" + conversation + "', 'toolId': '" + tool + "', 'toolName': '" + tool
                + "', 'input': {}, 'reason': 'Dangerous', 'preview': null, 'approvalId': 'q', 'expiresAt': 'soon'}";
    }

    private static String result(String tool) {
        return "{'toolId': '" + tool + "', 'status': 'success', 'result': '', 'metadata': {}}";
    }

    @Test
    void every_message_carries_what_was_said_before_until_a_new_conversation_begins() throws Exception {
        server.then(talk -> {
            talk.greetAgent();
            JsonNode first = talk.hear("chat:send");
            assertThat(first.path("history")).isEmpty();
            talk.start()
                    .text("Hello you")
                    .end("[{'role': 'user', 'content': 'one'}, {'role': 'assistant', 'content': 'a'}]");
            JsonNode second = talk.hear("chat:send");
            assertThat(second.path("history").size()).isEqualTo(2);
            assertThat(second.path("history").path(1).path("content").asString())
                    .isEqualTo("a");
            assertThat(second.path("conversation_id")).isEqualTo(first.path("conversation_id"));
            talk.start().end("[{'role': 'user', 'content': 'two'}]");
            JsonNode third = talk.hear("chat:send");
            assertThat(third.path("history")).isEmpty();
            assertThat(third.path("conversation_id")).isNotEqualTo(first.path("conversation_id"));
            talk.start().text("Last").end("[]");
        });
        begin();
        type("one");
        type("");
        type("two");
        type("/new");
        type("three");
        awaitSeen("Last");
        type("/exit");

        assertThat(dialogue.get(20, TimeUnit.SECONDS)).isPresent();
        assertThat(seen.toString()).contains("> Hello you\n> > > This is a new conversation.\n> Last\n");
    }

    @Test
    void only_y_or_yes_allows_and_each_question_has_its_own_answer() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", confirm(id, "first"));
            talk.say("chat:tool-confirm", confirm(id, "second")).say("chat:tool-confirm", confirm(id, "third"));
            for (String expected : new String[] {"first", "second", "third"}) {
                JsonNode answer = talk.hear("chat:tool-approve");
                assertThat(answer.path("toolId").asString()).isEqualTo(expected);
                assertThat(answer.path("approved").asBoolean()).isEqualTo(!expected.equals("second"));
                assertThat(answer.path("scope").isMissingNode()).isTrue();
                talk.say("chat:tool-result", result(expected));
            }
            talk.end("[]");
        });
        begin();
        type("go");
        awaitSeen("[first] may run only if somebody allows it: Dangerous\n    {}\nAllow? [y/N] ");
        assertThat(seen.toString()).doesNotContain("[second]");
        type("y");
        awaitSeen("[second] may run");
        type("sure");
        awaitSeen("[third] may run");
        type(" YES ");
        awaitSeen("[third] ok");
        end();
    }

    @Test
    void the_end_of_the_input_refuses() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", confirm(id, "first"));
            assertThat(talk.hear("chat:tool-approve").path("approved").asBoolean(true))
                    .isFalse();
            talk.end("[]");
        });
        begin();
        type("go");
        awaitSeen("Allow?");
        person.lines.add(Optional.empty());
        end();
    }

    @Test
    void a_yes_to_a_question_that_is_over_answers_no_other() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", confirm(id, "first"));
            talk.say("chat:tool-result", result("first")).say("chat:tool-confirm", confirm(id, "second"));
            JsonNode answer = talk.hear("chat:tool-approve");
            assertThat(answer.path("toolId").asString()).isEqualTo("second");
            assertThat(answer.path("approved").asBoolean(true)).isFalse();
            talk.end("[]");
        });
        begin();
        type("go");
        awaitSeen("Press Enter to be asked. ");
        assertThat(seen.toString()).contains("The question is over");
        type("y");
        awaitSeen("Press Enter to be asked. Allow? [y/N] ");
        type("n");
        end();
    }

    @Test
    void a_line_that_was_begun_for_a_question_is_not_sent_as_a_message() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", confirm(id, "first")).say("chat:tool-result", result("first"));
            talk.end("[]");
            assertThat(talk.hear("chat:send").path("content").asString()).isEqualTo("message");
            talk.start().text("Bye").end("[]");
        });
        begin();
        type("go");
        awaitSeen("Press Enter to go on. ");
        type("y");
        awaitSeen("Press Enter to go on. > ");
        type("message");
        awaitSeen("Bye");
        end();
    }

    @Test
    void ctrl_c_stops_the_answer_and_the_conversation_goes_on() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().text("Once upon").say("chat:tool-confirm", confirm(id, "first"));
            assertThat(talk.hear("chat:cancel").path("conversation_id").asString())
                    .isEqualTo(id);
            talk.say("chat:stream-end", "{'partial': true, 'messages': [{'role': 'user', 'content': 'go'}]}");
            JsonNode next = talk.hear("chat:send");
            assertThat(next.path("content").asString()).isEqualTo("shorter");
            assertThat(next.path("history").size()).isOne();
            talk.start().text("Fine").end("[]");
        });
        begin();
        type("go");
        awaitSeen("Allow?");
        happenings.add(new Happening.Interrupted());
        awaitSeen("(Stopped.)\n> ");
        type("shorter");
        awaitSeen("Fine");
        happenings.add(new Happening.Interrupted());

        assertThat(dialogue.get(20, TimeUnit.SECONDS)).get().isInstanceOf(AnswerEnd.Said.class);
    }

    @Test
    void a_second_ctrl_c_does_not_wait_for_the_server() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().text("Once");
            talk.hear("chat:cancel");
        });
        begin();
        type("go");
        awaitSeen("Once");
        happenings.add(new Happening.Interrupted());
        happenings.add(new Happening.Interrupted());

        assertThat(dialogue.get(20, TimeUnit.SECONDS)).get().isInstanceOf(AnswerEnd.Left.class);
    }

    @Test
    void a_lost_connection_is_made_again_with_the_next_message_and_nothing_is_forgotten() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().end("[{'role': 'user', 'content': 'one'}]");
            talk.hear("chat:send");
            talk.start().text("Half").vanish();
        });
        server.then(talk -> {
            talk.greetAdmin();
            assertThat(talk.hear("chat:send").path("history").size()).isOne();
            talk.start().text("Whole").end("[]");
            talk.close(1001, "");
        });
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().text("Again").end("[]");
        });
        begin();
        type("one");
        type("two");
        awaitSeen("Half\ntoolgate: the connection to the server");
        type("two");
        awaitSeen("Whole");
        type("three");
        awaitSeen("Again");
        end();
    }

    @Test
    void an_error_ends_the_answer_and_not_the_conversation() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().say("chat:error", "{'message_id': null, 'message': 'Not that', 'remediation': ''}");
            talk.say("chat:error", "{'message_id': 'm', 'message': 'Too many', 'remediation': 'Wait.'}");
            talk.hear("chat:send");
            talk.start().text("Better").end("[]");
        });
        begin();
        type("one");
        awaitSeen("Not that.\ntoolgate: Too many. Wait.\n> ");
        type("one");
        awaitSeen("Better");
        end();
    }

    @Test
    void an_answer_that_the_server_stops_is_no_answer() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().text("Half").say("chat:stream-end", "{'partial': true}");
        });
        begin();
        type("one");
        awaitSeen("Half\ntoolgate: the server has stopped the answer before its end");
        end();
    }

    @Test
    void thoughts_are_faint_and_every_piece_ends_so() {
        screen.show(thought("Let "));
        screen.show(thought("me"));
        screen.rest();

        assertThat(seen.toString()).isEqualTo("<(thinking) Let ><me>\n");
    }

    private static Happening.Said thought(String content) {
        return new Happening.Said(Json.MAPPER.readTree(
                "{\"type\": \"chat:thinking-delta\", \"payload\": {\"content\": \"" + content + "\"}}"));
    }

    private static final class TypedLines implements Keyboard.Lines {
        private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

        @Override
        public @Nullable String message() {
            return answer();
        }

        @Override
        public @Nullable String answer() {
            try {
                return lines.take().orElse(null);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
    }
}
