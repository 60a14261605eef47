package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The acceptance criteria of the chat, with their original numbers, over a real WebSocket. */
@Timeout(120)
class ChatAcceptanceTest {
    @TempDir
    private static Path home;

    private static Aimock models;
    private static AimockTrial trial;

    private ChatClient client;

    @BeforeAll
    static void start() throws Exception {
        models = Aimock.start();
        trial = AimockTrial.start(home, models.url(), Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        models.close();
        trial.close();
    }

    @BeforeEach
    void tidy() throws Exception {
        models.forget();
        for (String left : List.of("note.txt", "ran.txt", "watch.txt")) {
            Files.deleteIfExists(trial.file(left));
        }
        trial.write("notice.txt", "The harbour opens at six.\n");
        trial.write("one.txt", "content of one");
        trial.write("two.txt", "content of two");
        client = trial.chatAsAdmin();
    }

    @Test
    void ac_21_a_safe_tool_of_a_guided_agent_runs_without_a_question() {
        ask("guided", "When does the harbour open?");

        assertThat(client.types())
                .contains("chat:tool-start", "chat:tool-result")
                .doesNotContain("chat:tool-confirm");
    }

    @Test
    void ac_22_a_dangerous_tool_of_a_guided_agent_waits_for_an_approval() {
        String agent = trial.agent("guided");
        client.say(Model.CLAUDE.message(agent, "Run the command."));
        ChatEnvelope question = client.await("chat:tool-confirm");
        JsonNode open = trial.admin()
                .get("/api/v1/approvals/" + question.text("approvalId"))
                .json();

        assertThat(question.text("toolName")).isEqualTo("bash");
        assertThat(open.path("state").asString()).isEqualTo("pending");
        assertThat(client.types()).doesNotContain("chat:tool-start");
        assertThat(trial.file("ran.txt")).doesNotExist();

        client.approve(question.text("toolId"));

        assertThat(client.await("chat:tool-result").text("status")).isEqualTo("success");
        assertThat(trial.file("ran.txt")).exists();
        client.awaitEnd(question.conversation());
    }

    @Test
    void ac_23_no_tool_of_an_autonomous_agent_needs_an_approval() {
        ask("autonomous", "Run it and write.");

        assertThat(client.types()).doesNotContain("chat:tool-confirm");
        assertThat(trial.file("ran.txt")).exists();
        assertThat(trial.file("note.txt")).hasContent("Buy bread.\n");
    }

    @Test
    void ac_23_a_conversation_can_only_make_the_trust_level_stricter() {
        ChatMessage stricter = Model.OPENAI.message(trial.agent("autonomous"), "Write the note.");
        client.say(stricter.with("trust_level", "guided"));
        client.await("chat:tool-confirm");
        client.cancel(stricter.conversation());
        client.awaitEnd(stricter.conversation());
        ChatMessage freer = Model.OPENAI.message(trial.agent("guided"), "Write the note.");
        client.say(freer.with("trust_level", "autonomous"));
        client.await("chat:tool-confirm");
        client.cancel(freer.conversation());
        client.awaitEnd(freer.conversation());

        assertThat(trial.file("note.txt")).doesNotExist();
    }

    @Test
    void ac_24_a_failing_tool_is_a_result_and_the_answer_continues() {
        ask("guided", "Read what is not there.");

        assertThat(client.await("chat:tool-result").text("status")).isEqualTo("error");
        assertThat(client.said("chat:text-delta")).isEqualTo("There is no such file.");
    }

    @Test
    void ac_29_an_answer_in_words_is_start_deltas_and_end() {
        ask("guided", "Say hello.");

        List<String> types = client.types();
        assertThat(types.getFirst()).isEqualTo("connection:status");
        assertThat(types.get(1)).isEqualTo("chat:stream-start");
        assertThat(types.getLast()).isEqualTo("chat:stream-end");
        assertThat(types.subList(2, types.size() - 1)).isNotEmpty().containsOnly("chat:text-delta");
    }

    @Test
    void ac_30_a_call_then_words_is_one_answer_in_this_order() {
        ask("guided", "When does the harbour open?");

        assertThat(client.types().stream().distinct())
                .containsExactly(
                        "connection:status",
                        "chat:stream-start",
                        "chat:text-delta",
                        "chat:tool-start",
                        "chat:tool-result",
                        "chat:stream-end");
        assertThat(client.types()).containsOnlyOnce("chat:stream-start", "chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("I will look.It opens at six.");
        assertThat(models.journal()).hasSize(2);
    }

    @Test
    void ac_32_cancelling_a_running_tool_ends_with_a_partial_answer() {
        ChatMessage message = Model.OPENAI.message(trial.agent("autonomous"), "Keep watch.");
        client.say(message);
        await().until(() -> Files.exists(trial.file("watch.txt")));
        client.cancel(message.conversation());
        ChatEnvelope end = client.awaitEnd(message.conversation());

        assertThat(end.type()).isEqualTo("chat:stream-end");
        assertThat(end.payload().path("partial").asBoolean(false)).isTrue();
        assertThat(client.said("chat:text-delta")).isEqualTo("I will.");
        // The command writes the file repeatedly while it runs.
        await().during(Duration.ofSeconds(1)).until(() -> !Files.deleteIfExists(trial.file("watch.txt")));
        assertThat(models.journal()).hasSize(1);
    }

    @Test
    void ac_33_the_server_starts_with_core_tools_in_a_sandboxed_workspace() throws Exception {
        Files.writeString(home.resolve("outside.txt"), "what lies outside");
        List<String> tools = trial.admin().get("/api/v1/tools").each("name");
        ask("autonomous", "Look around.");
        ChatEnvelope inside = client.await("chat:tool-result", "call_inside");
        ChatEnvelope outside = client.await("chat:tool-result", "call_outside");
        ChatEnvelope where = client.await("chat:tool-result", "call_where");

        assertThat(tools).contains("bash", "file_read", "file_write", "web_search");
        assertThat(models.journal().getFirst().tools()).containsExactlyInAnyOrderElementsOf(AimockTrial.GRANTED);
        assertThat(inside.text("result")).contains("The harbour opens at six.");
        assertThat(outside.text("status")).isEqualTo("error");
        assertThat(where.text("result")).contains(trial.file("").toString());
        assertThat(client.events().toString()).doesNotContain("what lies outside");
    }

    @ParameterizedTest
    @CsvSource({"two, one", "one, two"})
    void ac_34_two_open_approval_requests_are_answered_separately(String yes, String no) {
        ChatMessage message = Model.CLAUDE.message(trial.agent("guided"), "Read one and two.");
        client.say(message.with("trust_level", "supervised"));
        client.await("chat:tool-confirm", "call_one");
        client.await("chat:tool-confirm", "call_two");
        client.approve("call_" + yes);
        ChatEnvelope first = client.await("chat:tool-result");
        client.reject("call_" + no, "Not this one.");
        ChatEnvelope second = client.await("chat:tool-result");
        client.awaitEnd(message.conversation());

        assertThat(first.text("toolId")).isEqualTo("call_" + yes);
        assertThat(first.text("result")).contains("content of " + yes);
        assertThat(second.text("toolId")).isEqualTo("call_" + no);
        assertThat(second.text("status")).isEqualTo("denied");
        assertThat(client.events().toString()).doesNotContain("content of " + no);
        assertThat(models.journal().getLast().results())
                .extracting(back -> back.path("tool_call_id").asString())
                .containsExactly("call_one", "call_two");
    }

    @Test
    void ac_34_approvals_of_two_conversations_with_the_same_tool_id_are_distinct() {
        ChatMessage here = Model.CLAUDE.message(trial.agent("guided"), "Write the note.");
        ChatMessage there = Model.CLAUDE.message(trial.agent("guided"), "Write the note.");
        client.say(here);
        client.await("chat:tool-confirm");
        client.say(there);
        client.await("chat:tool-confirm");
        client.approve("call_note");
        ChatEnvelope unclear = client.await("chat:error");
        client.reject("call_note", "Not there.", there.conversation());
        ChatEnvelope end = client.awaitEnd(there.conversation());

        assertThat(unclear.text("message")).contains("conversationId");
        assertThat(end.type()).isEqualTo("chat:stream-end");
        assertThat(trial.file("note.txt")).doesNotExist();

        client.approve("call_note");

        assertThat(client.awaitEnd(here.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(trial.file("note.txt")).hasContent("Buy bread.\n");
    }

    /** Sends a message and waits for the end of the answer. */
    private void ask(String trust, String content) {
        ChatMessage message = Model.OPENAI.message(trial.agent(trust), content);
        client.say(message);
        ChatEnvelope end = client.awaitEnd(message.conversation());
        assertThat(end.type()).as(end.toString()).isEqualTo("chat:stream-end");
        assertThat(end.payload().path("partial").asBoolean(true)).isFalse();
    }
}
