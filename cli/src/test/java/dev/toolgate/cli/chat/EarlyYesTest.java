package dev.toolgate.cli.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.chat.ChatTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A yes begun before its question, at a real terminal: the tool must not run. */
class EarlyYesTest {
    @TempDir
    private Path home;

    private final CountDownLatch typed = new CountDownLatch(1);
    private ChatTrial trial;

    // The model waits until the test has typed, and then requests two file writes.
    @BeforeEach
    void start() throws Exception {
        trial = ChatTrial.start(home, Map.of());
        trial.agent("writer", "guided", "file_write");
        Iterator<ChatTrial.Said> next = List.of(
                        calls(call("c1", "file_write", "path", "first.txt", "content", "tea")),
                        calls(call("c2", "file_write", "path", "second.txt", "content", "milk")),
                        ChatTrial.words("As you wish."))
                .iterator();
        trial.model.does(talk -> {
            awaitTyped();
            ChatTrial.Said said;
            synchronized (next) {
                said = next.next();
            }
            talk.begin().send(said.frames()).end();
        });
    }

    @AfterEach
    void stop() throws Exception {
        typed.countDown();
        trial.close();
    }

    @Test
    void a_line_finished_before_the_prompt_is_not_an_answer() throws Exception {
        try (ProgramAtTerminal program = new ChatPrograms(trial).admin("Write", "it", "down")) {
            typeEarly(program, "y\ny\n");
            program.awaitSeen("Allow? [y/N] ").type("n\n");

            answerSecond(program);
        }
    }

    @Test
    void a_line_begun_before_the_prompt_is_not_an_answer() throws Exception {
        try (ProgramAtTerminal program = new ChatPrograms(trial).admin("Write", "it", "down")) {
            typeEarly(program, "y");
            program.awaitSeen("Allow? [y/N] ").type("\n");

            answerSecond(program);
        }
    }

    private void typeEarly(ProgramAtTerminal program, String keys) throws IOException {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> !trial.model.requests().isEmpty());
        assertThat(program.seen()).isEmpty();
        // The terminal echoes what it has received.
        program.type(keys).awaitSeen(keys);
        typed.countDown();
    }

    private void answerSecond(ProgramAtTerminal program) throws Exception {
        program.awaitSeen("[file_write] error ").awaitSeen("Allow? [y/N] ", 2);
        assertThat(file("first.txt")).doesNotExist();
        assertThat(file("second.txt")).doesNotExist();

        program.type("y\n");
        assertThat(program.exitCode()).isZero();
        assertThat(file("first.txt")).doesNotExist();
        assertThat(file("second.txt")).hasContent("milk");
    }

    private Path file(String name) {
        return home.resolve("workspace").resolve(name);
    }

    private void awaitTyped() throws IOException {
        try {
            if (!typed.await(2, TimeUnit.MINUTES)) {
                throw new IOException("nothing was typed");
            }
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }
}
