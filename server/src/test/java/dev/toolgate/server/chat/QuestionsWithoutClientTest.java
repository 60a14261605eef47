package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.call;
import static dev.toolgate.server.chat.ChatTrial.calls;
import static dev.toolgate.server.chat.ChatTrial.message;
import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.wiring.ToolgateServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Approval requests of conversations whose server is gone: a late approval runs nothing. */
@Timeout(120)
class QuestionsWithoutClientTest {
    @TempDir
    static Path folder;

    private static ChatTrial trial;
    private static AgentId writer;

    @BeforeAll
    static void start() throws Exception {
        trial = ChatTrial.start(Files.createDirectory(folder.resolve("first")), Map.of("approvals.timeout", "5m"));
        writer = trial.agent("writer", "guided", "file_write");
    }

    @AfterAll
    static void stop() throws Exception {
        trial.close();
    }

    @Test
    void a_stopping_server_withdraws_the_approval_requests_of_its_chats() throws Exception {
        trial.says(
                calls(call("s0", "file_write", "path", "stop0.txt", "content", "x")),
                calls(call("s1", "file_write", "path", "stop1.txt", "content", "x")),
                calls(call("s2", "file_write", "path", "stop2.txt", "content", "x")));
        Path home = Files.createDirectory(folder.resolve("second"));
        ToolgateServer stopping = trial.server.another(
                home,
                Map.of(
                        "approvals.timeout",
                        "5m",
                        "models.openai.base_url",
                        trial.model.address().toString()));
        List<String> questions = new ArrayList<>();
        try (stopping;
                ChatClient agent = ChatClient.connect(stopping.url(), trial.key(RunningServer.FIRST, writer))) {
            for (int i = 0; i < 3; i++) {
                agent.say(message("stop" + i, "Write"));
            }
            for (int i = 0; i < 3; i++) {
                questions.add(agent.await("chat:tool-confirm").text("approvalId"));
            }
            stopping.close();
        }

        for (String question : questions) {
            assertThat(approve(question).status()).isEqualTo(409);
            assertThat(state(question)).isEqualTo("withdrawn");
        }
        assertThat(records("writer")).hasSize(3).allSatisfy(QuestionsWithoutClientTest::isRefused);
        for (int i = 0; i < 3; i++) {
            assertNotWritten("stop" + i + ".txt");
        }
    }

    @Test
    void chat_calls_held_by_a_dead_server_are_withdrawn_even_if_approved() {
        trial.agent("orphan", "guided", "file_write");
        trial.says(calls(call("dead", "file_write", "path", "dead.txt", "content", "x")), words("Hm."));
        String open;
        String approved;
        try (ChatClient agent = trial.as(new AgentId("orphan"))) {
            agent.say(message("dead", "Write"));
            String question = agent.await("chat:tool-confirm").text("approvalId");
            open = leftBehind(question, "left-open", null);
            approved = leftBehind(question, "left-approved", "APPROVED");
            agent.cancel("dead");
            agent.awaitEnd("dead");
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> state(open).equals("withdrawn"));
        assertThat(approve(open).status()).isEqualTo(409);
        assertThat(approve(approved).status()).isEqualTo(409);
        await().atMost(Duration.ofSeconds(30)).until(() -> records("orphan").size() == 3);
        assertThat(records("orphan"))
                .allSatisfy(QuestionsWithoutClientTest::isRefused)
                .extracting(record -> record.path("request_id").asString())
                .contains("left-open", "left-approved");
        assertNotWritten("dead.txt");
    }

    /** An approval request as left by a dead server: held by an instance that does not exist. */
    private static String leftBehind(String question, String request, @Nullable String verdict) {
        return trial.server.database().jdbi().withHandle(handle -> handle.createQuery("""
                        INSERT INTO approvals (tenant_id, request_id, agent_id, workspace_id, principal, operation,
                            tool_name, arguments, arguments_digest, held_call, reason, expires_at, ends_with_waiter,
                            waiter, verdict, answered_at, answered_by)
                        SELECT tenant_id, :request, agent_id, workspace_id, principal, operation, tool_name, arguments,
                            arguments_digest, replace(held_call, request_id, :request), reason, expires_at,
                            ends_with_waiter, gen_random_uuid(), :verdict::text,
                            CASE WHEN :verdict::text IS NOT NULL THEN now() END, 'carol'
                        FROM approvals WHERE approval_id = :id::uuid RETURNING approval_id::text""")
                .bind("request", request)
                .bind("verdict", verdict)
                .bind("id", question)
                .mapTo(String.class)
                .one());
    }

    private static Reply approve(String question) {
        return trial.server.admin().post("/api/v1/approvals/" + question, "{\"approved\": true}");
    }

    private static String state(String question) {
        return trial.server
                .admin()
                .get("/api/v1/approvals/" + question)
                .json()
                .path("state")
                .asString();
    }

    private static List<JsonNode> records(String agent) {
        return trial.server
                .admin()
                .get("/api/v1/audit/logs?agent_id=" + agent)
                .json()
                .valueStream()
                .toList();
    }

    private static void isRefused(JsonNode record) {
        assertThat(record.path("allowed").asBoolean()).as(record.toString()).isFalse();
        assertThat(record.path("error_code").asString()).isEqualTo("APPROVAL_DENIED");
    }

    private static void assertNotWritten(String file) {
        assertThat(folder.resolve("first/workspace").resolve(file)).doesNotExist();
        assertThat(folder.resolve("second/workspace").resolve(file)).doesNotExist();
    }
}
