package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Approval prompts at a terminal: only a yes begun after the prompt approves. */
class QuestionsTest extends DialogueFixture {

    @Test
    void only_y_or_yes_approves_and_each_prompt_has_its_own_answer() throws Exception {
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
    void the_end_of_input_denies() throws Exception {
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
    void a_yes_to_a_closed_question_does_not_answer_another() throws Exception {
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
        awaitSeen("Press Enter to continue to the question. ");
        assertThat(seen()).contains("The question is closed");
        type("y", "y");
        awaitSeen("Press Enter to continue to the question. Allow? [y/N] ");
        type("n");
        end();
    }

    @Test
    void a_line_begun_for_a_question_is_not_sent_as_a_message() throws Exception {
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
        awaitSeen("Press Enter to continue. ");
        type("y");
        awaitSeen("Press Enter to continue. > ");
        type("message");
        awaitSeen("Bye");
        end();
    }

    @Test
    void only_input_typed_after_the_prompt_is_an_answer() throws Exception {
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
    void an_unfinished_line_that_cannot_be_discarded_must_be_ended_first() throws Exception {
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
        awaitSeen("[first] needs an approval: Dangerous\n    {}\nPress Enter to continue to the question. ");
        type("y");
        awaitSeen("Press Enter to continue to the question. Allow? [y/N] ");
        type("n");
        awaitSeen("[second] needs an approval: Dangerous\n    {}\nPress Enter to continue to the question. ");
        type("");
        awaitSeen("[second] needs an approval: Dangerous\n    {}\nPress Enter to continue to the question. Allow? ");
        type("y");
        end();
    }

    private static String question(String tool) {
        return "[" + tool + "] needs an approval: Dangerous\n    {}\nAllow? [y/N] ";
    }
}
