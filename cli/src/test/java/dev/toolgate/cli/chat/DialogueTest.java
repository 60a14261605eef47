package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A dialogue of several messages at a terminal. */
class DialogueTest extends DialogueFixture {
    @Test
    void every_message_has_the_history_until_a_new_conversation_begins() throws Exception {
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

        assertThat(dialogue.get(60, TimeUnit.SECONDS)).isPresent();
        assertThat(seen()).contains("> Hello you\n> > > This is a new conversation.\n> Last\n");
    }

    @Test
    void ctrl_c_stops_the_answer_and_the_conversation_continues() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().text("Once upon").say("chat:tool-confirm", confirm(id, "first"));
            assertThat(talk.hear("chat:cancel").path("conversation_id").asString())
                    .isEqualTo(id);
            talk.say("chat:stream-end", "{'partial': true, 'messages': [{'role': 'user', 'content': 'go'}]}");
            JsonNode next = talk.hear("chat:send");
            assertThat(next.path("content").asString()).isEqualTo("shorter\nplease");
            assertThat(next.path("history").size()).isOne();
            talk.start().text("Fine").end("[]");
        });
        begin();
        type("go");
        awaitSeen("Allow?");
        events.add(new TerminalEvent.Interrupted());
        awaitSeen("(Stopped.)\n> ");
        type("shorter", "please");
        awaitSeen("Fine");
        events.add(new TerminalEvent.Interrupted());

        assertThat(dialogue.get(60, TimeUnit.SECONDS)).get().isInstanceOf(AnswerEnd.Answered.class);
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
        events.add(new TerminalEvent.Interrupted());
        events.add(new TerminalEvent.Interrupted());

        assertThat(dialogue.get(60, TimeUnit.SECONDS)).get().isInstanceOf(AnswerEnd.Abandoned.class);
    }

    @Test
    void a_lost_connection_is_reopened_and_the_history_is_kept() throws Exception {
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
    void pasted_lines_are_one_message_and_a_truncated_line_is_refused() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            assertThat(talk.hear("chat:send").path("content").asString()).isEqualTo("one\ntwo");
            talk.start().text("Both").end("[]");
            assertThat(talk.hear("chat:send").path("content").asString()).isEqualTo("short");
            talk.start().text("Short").end("[]");
        });
        begin();
        type("one", "two");
        awaitSeen("Both\n> ");
        type("before", "x".repeat(4095), "behind");
        awaitSeen(
                "toolgate: the terminal truncates lines after 4095 bytes; pipe the message in, or put it in a file in the"
                        + " workspace\n> ");
        type("short");
        awaitSeen("Short\n> ");
        end();
    }

    @Test
    void ctrl_c_while_reconnecting_is_reported() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().text("Half").vanish();
        });
        server.then(_ -> events.add(new TerminalEvent.Interrupted()));
        begin();
        type("one");
        awaitSeen("was lost; see what 'toolgate health' says\n> ");
        type("two");
        awaitSeen("toolgate: stopped; send the message again\n> ");
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
    void an_answer_stopped_by_the_server_is_an_error() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            talk.hear("chat:send");
            talk.start().text("Half").say("chat:stream-end", "{'partial': true}");
        });
        begin();
        type("one");
        awaitSeen("Half\ntoolgate: the server stopped the answer before its end");
        end();
    }

    @Test
    void every_piece_of_thinking_is_styled_on_its_own() {
        screen.show(thought("Let "));
        screen.show(thought("me"));
        screen.endLine();

        assertThat(seen()).isEqualTo("<(thinking) Let ><me>\n");
    }

    private static TerminalEvent.ServerMessage thought(String content) {
        return new TerminalEvent.ServerMessage(Json.MAPPER.readTree(
                "{\"type\": \"chat:thinking-delta\", \"payload\": {\"content\": \"" + content + "\"}}"));
    }
}
