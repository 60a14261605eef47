package dev.toolgate.cli.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code toolgate chat} end to end: a process, a terminal, the whole server and a model. */
class ChatTerminalTest {
    @TempDir
    private Path home;

    private ChatTrial trial;
    private ChatPrograms programs;
    private AgentId writer;

    @BeforeEach
    void start() throws Exception {
        trial = ChatTrial.start(home, Map.of());
        programs = new ChatPrograms(trial);
        writer = trial.agent("writer", "guided", "file_read", "file_write");
    }

    @AfterEach
    void stop() throws Exception {
        trial.close();
    }

    private ProgramAtTerminal admin(String... more) throws IOException {
        return programs.admin(more);
    }

    private ProgramAtTerminal agent(String... more) throws IOException {
        return programs.agent(writer, more);
    }

    private Path note() {
        return home.resolve("workspace").resolve("note.txt");
    }

    private void modelWantsToWrite() {
        trial.says(
                calls(call("c1", "file_write", "path", "note.txt", "content", "tea")),
                ChatTrial.words("As you wish."),
                ChatTrial.words("Bye."));
    }

    @Test
    void a_piped_message_prints_only_the_answer() throws Exception {
        trial.says(ChatTrial.words("Good ", "morning."));
        try (ProgramAtTerminal program = ProgramAtTerminal.startWithout(
                programs.environment(trial.key(RunningServer.FIRST, writer)), ChatPrograms.words(List.of()))) {
            program.type("Hello\nthere\n").endInput();

            assertThat(program.exitCode()).isZero();
            assertThat(program.seen()).isEqualTo("Good morning.\n");
            assertThat(trial.model.request().json().path("messages").toString()).contains("Hello\\nthere");
            assertThat(trial.model.request().headers().get("Authorization"))
                    .isEqualTo("Bearer " + ChatPrograms.OWN_KEY);
        }
    }

    @Test
    void a_tool_runs_after_a_yes_and_the_history_is_kept() throws Exception {
        modelWantsToWrite();
        try (ProgramAtTerminal program = admin()) {
            program.awaitSeen("> ").type("Write it down\n").awaitSeen("Allow? [y/N] ");
            assertThat(program.seen()).contains("[file_write] needs an approval", "    | +tea");
            assertThat(note()).doesNotExist();

            program.type("y\n").awaitSeen("[file_write] ok").awaitSeen("As you wish.\n> ");
            assertThat(note()).hasContent("tea");

            program.type("Thanks\n").awaitSeen("Bye.\n> ");
            assertThat(trial.model.request().json().path("messages").toString())
                    .contains("Write it down", "c1", "As you wish.", "Thanks");
            program.pressCtrlD();
            assertThat(program.exitCode()).isZero();
        }
    }

    @Test
    void a_tool_does_not_run_without_a_yes_and_the_model_gets_an_error() throws Exception {
        modelWantsToWrite();
        try (ProgramAtTerminal program = admin()) {
            program.awaitSeen("> ").type("Write it down\n").awaitSeen("Allow? [y/N] ");

            program.type("maybe\n").awaitSeen("[file_write] error ").awaitSeen("As you wish.\n> ");

            assertThat(note()).doesNotExist();
            assertThat(trial.toolResult("c1")).isNotEqualTo("tea").containsIgnoringCase("refused at the terminal");
            program.type("/exit\n");
            assertThat(program.exitCode()).isZero();
        }
    }

    @Test
    void lines_that_are_pasted_together_are_one_message() throws Exception {
        trial.says(ChatTrial.words("Three lines."));
        try (ProgramAtTerminal program = admin()) {
            program.awaitSeen("> ").type("one\ntwo\nthree\n").awaitSeen("Three lines.\n> ");

            assertThat(trial.model.request().json().path("messages").toString()).contains("one\\ntwo\\nthree");
        }
    }

    @Test
    void ctrl_c_stops_the_answer_and_the_dialogue_continues() throws Exception {
        trial.beginsToSay("Once upon a time");
        try (ProgramAtTerminal program = admin()) {
            program.awaitSeen("> ").type("A story\n").awaitSeen("Once upon a time");

            program.pressCtrlC().awaitSeen("(Stopped.)\n> ");
            await().atMost(Duration.ofMinutes(1)).until(() -> trial.model.open() == 0);

            trial.says(ChatTrial.words("Fine."));
            program.type("Are you there?\n").awaitSeen("Fine.\n> ");
            program.pressCtrlC();
            assertThat(program.exitCode()).isZero();
        }
    }

    @Test
    void a_stopped_answer_has_its_own_exit_code() throws Exception {
        trial.beginsToSay("Once upon a time");
        try (ProgramAtTerminal program = admin("A", "story")) {
            program.awaitSeen("Once upon a time").pressCtrlC();

            assertThat(program.exitCode()).isEqualTo(130);
        }
    }

    @Test
    void with_a_key_that_may_not_approve_it_waits_for_an_approver() throws Exception {
        modelWantsToWrite();
        try (ProgramAtTerminal program = agent("Write", "it", "down")) {
            program.awaitSeen("toolgate approvals approve ");
            assertThat(program.seen()).doesNotContain("Allow?");
            assertThat(note()).doesNotExist();
            Matcher id = Pattern.compile("approvals approve ([-0-9a-f]+)").matcher(program.seen());
            assertThat(id.find()).isTrue();

            assertThat(trial.server
                            .admin()
                            .post("/api/v1/approvals/" + id.group(1), "{\"approved\": true}")
                            .status())
                    .isEqualTo(200);

            assertThat(program.exitCode()).isZero();
            assertThat(program.seen()).contains("[file_write] ok", "As you wish.");
            assertThat(note()).hasContent("tea");
        }
    }

    @Test
    void a_server_that_stops_during_an_answer_is_reported() throws Exception {
        trial.beginsToSay("Half of it");
        try (ProgramAtTerminal program = admin("Hello")) {
            program.awaitSeen("Half of it");
            trial.server.close();

            assertThat(program.exitCode()).isEqualTo(1);
            assertThat(program.seen().lines().toList().getLast()).startsWith("toolgate: the server ");
            assertThat(program.seen()).doesNotContain("Exception", "\tat ");
        }
        trial = ChatTrial.start(Files.createDirectory(home.resolve("again")), Map.of());
    }

    @Test
    void text_of_a_model_cannot_control_the_terminal() throws Exception {
        trial.says(
                calls(call("c1", "file_write", "path", "\u001b]0;x\u0007", "content", "\u001b[2Jtea\u009b31m\u202e")),
                ChatTrial.words("\u001b[2J", "\u001b", "[8mhidden", "\u009b31m\r\u0007"));
        try (ProgramAtTerminal program = admin("Hello")) {
            program.awaitSeen("Allow? [y/N] ").type("n\n");

            assertThat(program.exitCode()).isZero();
            assertThat(program.seen())
                    .contains("[8mhidden", "]0;x")
                    .doesNotContain("\u001b", "\u009b", "\u202e", "\u0007");
        }
    }

    @Test
    void failures_print_one_sentence_with_what_to_do() throws Exception {
        try (ProgramAtTerminal unknown = ProgramAtTerminal.start(
                        programs.environment(trial.server.key(RunningServer.FIRST, Role.ADMIN, null)),
                        ChatPrograms.words(List.of("--agent", "nobody", "Hello")));
                ProgramAtTerminal keyless = ProgramAtTerminal.start(
                        programs.environment(trial.key(RunningServer.FIRST, writer)),
                        "chat",
                        "--provider",
                        "claude",
                        "Hello");
                ProgramAtTerminal unspecific = ProgramAtTerminal.start(
                        programs.environment(trial.key(RunningServer.FIRST, writer)), "chat", "Hello");
                ProgramAtTerminal stranger = ProgramAtTerminal.start(
                        programs.environment("tg_nobodys-key"), ChatPrograms.words(List.of("Hello")))) {
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.seen())
                    .startsWith("toolgate: There is no agent 'nobody'.")
                    .hasLineCount(1);
            assertThat(keyless.exitCode()).isEqualTo(1);
            assertThat(keyless.seen())
                    .startsWith("toolgate: ")
                    .containsIgnoringCase("key")
                    .hasLineCount(1);
            assertThat(unspecific.exitCode()).isEqualTo(2);
            assertThat(unspecific.seen())
                    .contains("has no key for any provider", "--provider")
                    .hasLineCount(1);
            assertThat(stranger.exitCode()).isEqualTo(1);
            assertThat(stranger.seen())
                    .startsWith("toolgate: ")
                    .containsIgnoringCase("key")
                    .hasLineCount(1);
        }
    }
}
