package dev.toolgate.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.chat.ProgramAtTerminal;
import dev.toolgate.cli.chat.ScriptedChat;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output that is not read or cannot be written. */
class LostOutputTest {
    private static final File FULL = new File("/dev/full");
    private static final String LOST = "toolgate: the result could not be written to the standard output\n";

    @TempDir
    private Path folder;

    private ScriptedServer server;
    private Terminal terminal;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("key"), "tg_some-key");
        server = new ScriptedServer();
        terminal = Terminal.at(server.url(), folder.resolve("key"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Writer full() throws IOException {
        return new OutputStreamWriter(new FileOutputStream(FULL), StandardCharsets.UTF_8);
    }

    @Test
    void a_result_that_cannot_be_written_is_an_error() throws IOException {
        server.on("GET /api/v1/agents?limit=100", 200, "[{\"agent_id\":\"a\"}]");
        server.on("GET /api/v1/audit/export?format=jsonl", 200, "{}\n");
        server.on("GET /health", 200, "{\"status\":\"up\"}");

        for (String[] words : new String[][] {{"agents", "list"}, {"audit", "export"}, {"health"}}) {
            Terminal.Result result = terminal.runInto(full(), words);
            assertThat(result.code()).as(words[0]).isEqualTo(1);
            assertThat(result.err()).as(words[0]).isEqualTo(LOST);
        }
    }

    @Test
    void a_result_that_cannot_be_written_is_an_error_of_the_program() throws Exception {
        server.on("GET /api/v1/agents?limit=100", 200, "[{\"agent_id\":\"a\"}]");

        try (ProgramAtTerminal program = ProgramAtTerminal.startInto(
                FULL, Map.of("TOOLGATE_URL", server.url(), "TOOLGATE_KEY", "tg_some-key"), "agents", "list")) {
            assertThat(program.exitCode()).isEqualTo(1);
            assertThat(program.seen()).isEqualTo(LOST);
        }
    }

    @Test
    void a_models_answer_that_cannot_be_written_is_stopped() throws Exception {
        ScriptedChat chat = new ScriptedChat();
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        chat.then(talk -> {
            talk.greetAgent();
            String id = talk.hear("chat:send").path("conversation_id").asString();
            talk.start().text("Once upon a time");
            assertThat(talk.hear("chat:cancel").path("conversation_id").asString())
                    .isEqualTo(id);
            cancelled.complete(id);
        });

        Terminal.Result result = Terminal.at(chat.url(), folder.resolve("key"))
                .runInto(full(), "chat", "--model", "x", "--provider", "claude", "A story");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).endsWith(LOST);
        assertThat(cancelled.get(60, TimeUnit.SECONDS)).isNotBlank();
        chat.stop();
    }

    @Test
    void a_closed_pipe_ends_a_stream_without_an_error() {
        server.on("GET /api/v1/audit/logs?limit=100", 200, "[]");
        server.on(
                "GET /api/v1/audit/stream",
                200,
                "event: record\ndata: {\"id\":1}\n\nevent: record\ndata: {\"id\":2}\n\n");
        server.on("GET /api/v1/approvals?state=pending&limit=100", 200, "[]");
        server.on("GET /api/v1/approvals/stream", 200, asked(0) + asked(1));

        for (String[] words : new String[][] {{"audit", "list", "--follow"}, {"approvals", "watch"}}) {
            Terminal.Result result = terminal.runInto(new OneLine(), words);
            assertThat(result.code()).as(words[0]).isZero();
            assertThat(result.err()).as(words[0]).isEmpty();
        }
    }

    @Test
    void a_watch_remembers_a_bounded_number_of_lines() {
        String others = IntStream.rangeClosed(1, ApprovalWatch.REMEMBERED)
                .mapToObj(LostOutputTest::asked)
                .collect(Collectors.joining());
        server.on("GET /api/v1/approvals?state=pending&limit=100", 200, "[]");
        server.on("GET /api/v1/approvals/stream", 200, asked(0) + asked(0) + others + asked(0));

        assertThat(terminal.run("approvals", "watch", "--json").out().lines().filter(line -> line.contains("\"q0\"")))
                .hasSize(2);
    }

    private static String asked(int number) {
        return "event: opened\ndata: {\"approval_id\": \"q" + number + "\", \"state\": \"pending\"}\n\n";
    }

    @Test
    void an_export_is_sanitised_only_for_a_terminal() throws Exception {
        String sent = "{\"agent_id\":\"\u001b]0;x\u0007\u009b31m\u202e\ud83d\ude00\"}\n";
        server.on("GET /api/v1/audit/export?format=jsonl", 200, sent);
        Map<String, String> environment =
                Map.of("TOOLGATE_URL", server.url(), "TOOLGATE_KEY", "tg_some-key", "LC_ALL", "C.UTF-8");

        try (ProgramAtTerminal shown = ProgramAtTerminal.start(environment, "audit", "export");
                ProgramAtTerminal piped = ProgramAtTerminal.startWithout(environment, "audit", "export")) {
            assertThat(shown.exitCode()).isZero();
            assertThat(shown.seen())
                    .contains("]0;x", "31m", "\ud83d\ude00")
                    .doesNotContain("\u001b", "\u0007", "\u009b", "\u202e");
            assertThat(piped.exitCode()).isZero();
            assertThat(piped.seen()).isEqualTo(sent);
        }
    }

    /** A reader that closes after one line. */
    private static final class OneLine extends Writer {
        private final StringWriter read = new StringWriter();

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            if (read.toString().contains("\n")) {
                throw new IOException("Broken pipe");
            }
            read.write(text, from, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
