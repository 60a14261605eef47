package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Approval, denial and time-out over the WebSocket, for each provider; a file shows whether the tool ran. */
@Timeout(120)
class AimockApprovalTest {
    @TempDir
    private static Path home;

    @TempDir
    private static Path impatientHome;

    private static Aimock models;
    private static AimockTrial trial;
    private static AimockTrial impatient;

    @BeforeAll
    static void start() throws Exception {
        models = Aimock.start();
        trial = AimockTrial.start(home, models.url(), Map.of());
        impatient = AimockTrial.start(impatientHome, models.url(), Map.of("approvals.timeout", "1s"));
    }

    @AfterAll
    static void stop() throws Exception {
        models.close();
        trial.close();
        impatient.close();
    }

    @BeforeEach
    void tidy() throws Exception {
        models.forget();
        Files.deleteIfExists(trial.file("note.txt"));
    }

    @ParameterizedTest
    @EnumSource
    void an_approved_tool_runs_and_the_approval_is_recorded(Model model) {
        ChatClient client = trial.chatAsAdmin();
        String agent = trial.agent("guided");
        ChatMessage message = model.message(agent, "Write the note.");
        client.say(message);
        ChatEnvelope question = client.await("chat:tool-confirm");

        assertThat(question.text("toolName")).isEqualTo("file_write");
        assertThat(question.payload().at("/input/content").asString()).isEqualTo("Buy bread.\n");
        assertThat(question.text("preview")).contains("+Buy bread.");
        assertThat(trial.file("note.txt")).doesNotExist();
        client.approve(question.text("toolId"));

        assertThat(client.await("chat:tool-result", question.text("toolId")).text("status"))
                .isEqualTo("success");
        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(trial.file("note.txt")).hasContent("Buy bread.\n");
        model.checkIds(models.journal().getLast(), List.of("call_note"), question);
        assertThat(trial.records(agent)).singleElement().satisfies(record -> {
            assertThat(record.path("allowed").asBoolean(false)).isTrue();
            assertThat(record.path("approved_by").asString()).isEqualTo(trial.adminName());
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_denied_tool_does_not_run_and_the_model_gets_the_reason(Model model) {
        ChatClient client = trial.chatAsAdmin();
        String agent = trial.agent("guided");
        ChatMessage message = model.message(agent, "Write the note.");
        client.say(message);
        ChatEnvelope question = client.await("chat:tool-confirm");
        client.reject(question.text("toolId"), "We have bread.");
        ChatEnvelope result = client.await("chat:tool-result", question.text("toolId"));

        assertThat(result.text("status")).isEqualTo("denied");
        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("So be it.");
        assertThat(client.types()).doesNotContain("chat:tool-start");
        assertThat(trial.file("note.txt")).doesNotExist();
        Aimock.Asked second = models.journal().getLast();
        assertThat(second.results())
                .singleElement()
                .satisfies(back -> assertThat(back.path("content").asString()).contains("We have bread."));
        model.checkIds(second, List.of("call_note"), question, result);
        assertThat(trial.records(agent)).singleElement().satisfies(record -> {
            assertThat(record.path("allowed").asBoolean(true)).isFalse();
            assertThat(record.path("approved_by").asString()).isEqualTo(trial.adminName());
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_request_without_an_answer_times_out_and_a_late_one_is_refused(Model model) {
        ChatClient client = impatient.chatAsAdmin();
        String agent = impatient.agent("guided");
        ChatMessage message = model.message(agent, "Write the note.");
        client.say(message);
        ChatEnvelope question = client.await("chat:tool-confirm");
        ChatEnvelope result = client.await("chat:tool-result", question.text("toolId"));
        ChatEnvelope end = client.awaitEnd(message.conversation());
        client.approve(question.text("toolId"));
        ChatEnvelope late = client.await("chat:error");

        assertThat(result.text("status")).isEqualTo("denied");
        assertThat(result.payload().at("/metadata/code").asString()).isEqualTo("APPROVAL_TIMEOUT");
        assertThat(end.type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("So be it.");
        assertThat(late.payload().path("message_id").isNull()).isTrue();
        assertThat(late.text("message")).contains(question.text("toolId"));
        assertThat(impatient.file("note.txt")).doesNotExist();
        model.checkIds(models.journal().getLast(), List.of("call_note"), question, result);
        assertThat(impatient.records(agent)).singleElement().satisfies(record -> assertThat(
                        record.path("allowed").asBoolean(true))
                .isFalse());
    }

    @ParameterizedTest
    @EnumSource
    void an_agent_cannot_approve_its_own_call_but_an_admin_can(Model model) {
        String agent = trial.agent("guided");
        ChatClient itself = trial.chatAs(agent);
        ChatMessage message = model.message(agent, "Write the note.");
        itself.say(message);
        ChatEnvelope question = itself.await("chat:tool-confirm");
        itself.approve(question.text("toolId"));
        ChatEnvelope refused = itself.await("chat:error");

        assertThat(itself.await("connection:status")
                        .payload()
                        .path("may_approve")
                        .asBoolean(true))
                .isFalse();
        assertThat(refused.text("code")).isEqualTo("PERMISSION_DENIED");
        assertThat(refused.payload().path("message_id").isNull()).isTrue();
        assertThat(itself.types()).doesNotContain("chat:tool-start", "chat:tool-result");
        assertThat(trial.file("note.txt")).doesNotExist();
        assertThat(trial.admin()
                        .post("/api/v1/approvals/" + question.text("approvalId"), "{\"approved\": true}")
                        .status())
                .isEqualTo(200);
        assertThat(itself.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(trial.file("note.txt")).hasContent("Buy bread.\n");
    }

    @Test
    void a_chat_client_without_the_right_to_approve_cannot_approve() {
        ChatClient orchestrator = trial.chatAs(Role.ORCHESTRATOR);
        ChatMessage message = Model.OPENAI.message(trial.agent("guided"), "Write the note.");
        orchestrator.say(message);
        ChatEnvelope question = orchestrator.await("chat:tool-confirm");
        orchestrator.approve(question.text("toolId"));
        ChatEnvelope refused = orchestrator.await("chat:error");
        orchestrator.cancel(message.conversation());
        ChatEnvelope end = orchestrator.awaitEnd(message.conversation());

        assertThat(refused.text("code")).isEqualTo("PERMISSION_DENIED");
        assertThat(end.payload().path("partial").asBoolean(false)).isTrue();
        assertThat(orchestrator.types()).doesNotContain("chat:tool-start");
        assertThat(trial.file("note.txt")).doesNotExist();
    }
}
