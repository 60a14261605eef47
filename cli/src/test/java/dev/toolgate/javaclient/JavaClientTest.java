package dev.toolgate.javaclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.client.ApprovalDeniedException;
import dev.toolgate.client.ApprovalPendingException;
import dev.toolgate.client.Call;
import dev.toolgate.client.DeniedException;
import dev.toolgate.client.Escalation;
import dev.toolgate.client.GatedAgent;
import dev.toolgate.client.Outcome;
import dev.toolgate.client.Permit;
import dev.toolgate.client.ToolCall;
import dev.toolgate.client.ToolFailedException;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.ToolgateException;
import dev.toolgate.client.model.Approval;
import dev.toolgate.client.model.ApprovalEvent;
import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.AuditRecord;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.ToolResult;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Outcomes of calls and permits with the Java client, against a real server. */
@Timeout(300)
class JavaClientTest {
    private static final Map<String, Object> HERE = Map.of("path", ".");

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Toolgate admin;
    private static Toolgate writer;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("limits.refused.calls", "0"));
        admin = client(server.key(RunningServer.FIRST, Role.ADMIN, null), "writer");
        writer = client(server.key(RunningServer.FIRST, Role.AGENT, new AgentId("writer")), "writer");
        admin.permissions().allow("writer", "file_list");
        admin.permissions().allow("careful", "file_list", Grant.allowed().withApproval());
        admin.externalTools()
                .register(ExternalTool.of(
                        "deploy",
                        "Deploys.",
                        Map.of("type", "object", "properties", Map.of("host", Map.of("type", "string")))));
        admin.permissions().allow("writer", "deploy");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static Toolgate client(String key, String agent) {
        return Toolgate.builder().url(server.url()).key(key).agent(agent).build();
    }

    private static Toolgate careful() {
        return client(server.key(RunningServer.FIRST, Role.AGENT, new AgentId("careful")), "careful");
    }

    private static AuditRecord record(String requestId) {
        AuditQuery query = AuditQuery.all().request(requestId);
        await().atMost(Duration.ofMinutes(2))
                .until(() -> admin.audit().list(query).count() == 1);
        return admin.audit().list(query).findFirst().orElseThrow();
    }

    @Test
    void an_allowed_call_returns_its_result() {
        ToolResult result = writer.execute("file_list", HERE);

        assertThat(result.success()).isTrue();
        assertThat(result.logged()).isTrue();
        assertThat(result.structured().path("files").isArray()).isTrue();
        assertThat(record(result.requestId()).client()).isNull();
    }

    @Test
    void a_denial_lists_the_allowed_tools_and_a_suggestion() {
        assertThatThrownBy(() -> writer.execute("bash", Map.of("command", "ls")))
                .isInstanceOfSatisfying(DeniedException.class, denied -> {
                    assertThat(denied.reason()).contains("'bash'");
                    assertThat(denied.violationType()).isEqualTo("permission_denied");
                    assertThat(denied.allowedTools()).contains("file_list");
                    assertThat(denied.suggestion()).contains("grant 'bash'");
                    assertThat(denied.correlationId()).isNotEmpty();
                });
        assertThat(writer.submit("bash", Map.of("command", "ls"))).isInstanceOf(Outcome.Denied.class);
        assertThat(writer.validate("bash").allowed()).isFalse();
        assertThat(writer.validate("file_list").allowed()).isTrue();
    }

    @Test
    void a_failing_tool_is_not_a_denial() {
        assertThatThrownBy(() -> writer.execute("file_list", Map.of("path", "no-such-folder")))
                .isInstanceOfSatisfying(ToolFailedException.class, failed -> {
                    assertThat(failed.remediation()).isNotEmpty();
                    assertThat(failed.failed().partial().success()).isFalse();
                });
    }

    @Test
    void a_critical_call_is_escalated_to_an_agent_that_has_the_tool() {
        admin.permissions().allow("backend", "file_write");
        Toolgate orchestrator = client(server.key(RunningServer.FIRST, Role.ORCHESTRATOR, null), "backend");
        GatedAgent agent = new GatedAgent(writer, "writer", Escalation.to(orchestrator, "backend"));
        Call write = Call.of("file_write").with("path", "escalated.txt").with("content", "hello");

        ToolResult result = agent.useCritical(write);

        assertThat(result.success()).isTrue();
        assertThat(record(result.requestId()).agentId()).isEqualTo("backend");
        assertThat(agent.use(write, Call.of("file_list", HERE)).data()).contains("escalated.txt");
        assertThatThrownBy(() -> agent.use(write)).isInstanceOf(DeniedException.class);
    }

    @Test
    void a_held_call_can_be_approved_from_the_event_stream() {
        try (Stream<ApprovalEvent> events = admin.approvals().stream()) {
            CompletableFuture<ToolResult> listing = careful().executeAsync(Call.of("file_list", HERE));
            Approval asked = events.map(ApprovalEvent::approval)
                    .filter(approval -> approval != null && approval.agentId().equals("careful"))
                    .findFirst()
                    .orElseThrow();

            assertThat(asked.parameters()).isEqualTo(HERE);
            admin.approvals().approve(asked.approvalId(), "only lists files");

            assertThat(listing.join().success()).isTrue();
            assertThat(admin.approvals().get(asked.approvalId()).state()).isEqualTo("approved");
        }
    }

    @Test
    void a_held_call_that_a_person_refuses_is_denied() {
        Call call = Call.of("file_list", HERE).withId("refused-by-ada");
        CompletableFuture<ToolResult> listing = careful().executeAsync(call);

        admin.approvals().deny(pending("refused-by-ada").approvalId(), "not today");

        assertThatThrownBy(listing::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ApprovalDeniedException.class);
        assertThat(record("refused-by-ada").allowed()).isFalse();
    }

    @Test
    void a_call_approved_after_the_wait_is_collected_later() {
        Call call = Call.of("file_list", HERE).withId("answered-later").waiting(Duration.ofMillis(100));
        Toolgate careful = careful();

        assertThatThrownBy(() -> careful.execute(call))
                .isInstanceOfSatisfying(
                        ApprovalPendingException.class,
                        waiting -> assertThat(waiting.pending().requestId()).isEqualTo("answered-later"));
        admin.approvals().approve(pending("answered-later").approvalId(), "now");

        Outcome outcome = careful.collect("answered-later", Duration.ofMinutes(2));
        assertThat(outcome.orThrow().success()).isTrue();
    }

    private static Approval pending(String requestId) {
        Duration time = Duration.ofMinutes(1);
        await().atMost(time).until(() -> admin.approvals().pending().anyMatch(a -> a.requestId()
                .equals(requestId)));
        return admin.approvals()
                .pending()
                .filter(approval -> approval.requestId().equals(requestId))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_repeated_request_id_runs_once_and_belongs_to_one_call() {
        Call call = Call.of("file_list", HERE).withId("once");

        String first = writer.execute(call).data();
        assertThat(writer.execute(call).data()).isEqualTo(first);

        assertThatThrownBy(() -> writer.execute(call.with("path", "elsewhere")))
                .isInstanceOfSatisfying(ToolgateException.class, taken -> {
                    assertThat(taken.code()).isEqualTo("REQUEST_ID_TAKEN");
                    assertThat(taken.retryable()).isFalse();
                });
        assertThat(record("once").status()).isEqualTo("COMPLETED");
    }

    @Test
    void an_admin_key_lists_only_the_tools_of_the_given_agent() {
        assertThat(writer.tools()).extracting(Tool::name).containsExactlyInAnyOrder("file_list", "deploy");
        assertThat(admin.tools("writer")).isEqualTo(writer.tools());
        assertThat(admin.tools("nobody")).isEmpty();
    }

    @Test
    void a_tool_run_with_a_permit_is_recorded() throws Exception {
        Permit permit = writer.authorize(ToolCall.of("deploy", Map.of("host", "staging"))
                .withToolCallId("toolu_1")
                .expiringIn(Duration.ofMinutes(5)));

        assertThat(permit.parameters()).isEqualTo(Map.of("host", "staging"));
        assertThat(permit.run(() -> List.of("a", "b"))).hasSize(2);

        AuditRecord record = record(permit.requestId());
        assertThat(record.status()).isEqualTo("COMPLETED");
        assertThat(record.executedBy()).isEqualTo("client");
        assertThat(record.toolCallId()).isEqualTo("toolu_1");
        assertThat(record.client()).isEqualTo("toolgate-java/0.1.0");
        assertThatThrownBy(() -> writer.authorize(
                        ToolCall.of(Call.of("deploy", Map.of("host", "staging")).withId(permit.requestId()))))
                .isInstanceOf(ToolgateException.class);
    }

    @Test
    void a_permitted_tool_that_fails_is_recorded_as_failed() {
        Permit permit = writer.authorize("deploy", Map.of("host", "staging"));

        assertThatThrownBy(() -> permit.run(() -> {
                    throw new IOException("no route to host");
                }))
                .isInstanceOf(IOException.class);

        AuditRecord record = record(permit.requestId());
        assertThat(record.status()).isEqualTo("FAILED");
        assertThat(record.resultSummary()).contains("no route to host");
    }

    @Test
    void a_permit_without_a_reported_outcome_is_recorded_as_interrupted() {
        Permit permit = writer.authorize(
                ToolCall.of("deploy", Map.of("host", "staging")).expiringIn(Duration.ofSeconds(1)));

        assertThat(record(permit.requestId()).status()).isEqualTo("INTERRUPTED");
        assertThatThrownBy(() -> permit.succeeded("too late")).isInstanceOf(ToolgateException.class);
    }

    @Test
    void a_tool_without_a_permit_does_not_run() {
        AtomicInteger runs = new AtomicInteger();
        Toolgate stranger = client(server.key(RunningServer.FIRST, Role.AGENT, new AgentId("stranger")), "stranger");

        assertThatThrownBy(() -> stranger.authorize("deploy", Map.of()).run(runs::incrementAndGet))
                .isInstanceOf(DeniedException.class);
        assertThatThrownBy(() -> client("tg_wrong", "writer")
                        .authorize("deploy", Map.of())
                        .run(runs::incrementAndGet))
                .isInstanceOf(ToolgateException.class);
        assertThat(runs).hasValue(0);
    }
}
