package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Questions at a terminal: only a yes that was begun after the question allows anything. */
class QuestionsTest extends DialogueTrial {

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
        awaitSeen(question("first"));
        assertThat(seen()).doesNotContain("[second]");
        type("y");
        awaitSeen(question("second"));
        type("sure");
        awaitSeen(question("third"));
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
        person.end();
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
        assertThat(seen()).contains("The question is over");
        type("y", "y");
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
    void what_was_typed_before_a_question_is_no_answer_and_what_is_typed_at_its_sight_is_one() throws Exception {
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            type("n");
            talk.start().say("chat:tool-confirm", confirm(id, "first"));
            assertThat(talk.hear("chat:tool-approve").path("approved").asBoolean(false))
                    .isTrue();
            talk.end("[]");
        });
        atQuestion = () -> type("y");
        begin();
        type("go");
        awaitSeen(question("first") + "> ");
        end();
    }

    @Test
    void where_an_unfinished_line_cannot_be_dropped_it_must_be_ended_first() throws Exception {
        person.keepsUnfinishedLines();
        server.then(talk -> {
            talk.greetAdmin();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().say("chat:tool-confirm", confirm(id, "first"));
            assertThat(talk.hear("chat:tool-approve").path("approved").asBoolean(true))
                    .isFalse();
            talk.say("chat:tool-confirm", confirm(id, "second"));
            assertThat(talk.hear("chat:tool-approve").path("approved").asBoolean(false))
                    .isTrue();
            talk.end("[]");
        });
        begin();
        type("go");
        awaitSeen("[first] may run only if somebody allows it: Dangerous\n    {}\nPress Enter to be asked. ");
        type("y");
        awaitSeen("Press Enter to be asked. Allow? [y/N] ");
        type("n");
        awaitSeen("[second] may run only if somebody allows it: Dangerous\n    {}\nPress Enter to be asked. ");
        type("");
        awaitSeen("[second] may run only if somebody allows it: Dangerous\n    {}\nPress Enter to be asked. Allow? ");
        type("y");
        end();
    }

    private static String question(String tool) {
        return "[" + tool + "] may run only if somebody allows it: Dangerous\n    {}\nAllow? [y/N] ";
    }
}
