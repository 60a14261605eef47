package dev.toolgate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.ToolResult;
import dev.toolgate.client.testing.MockApprovals;
import dev.toolgate.client.testing.MockCall;
import dev.toolgate.client.testing.MockToolgate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Agents, permits and the mock they are tested with. */
class GatedAgentTest {
    private static final Call WRITE = Call.of("database_write", Map.of("table", "users"));
    private static final Call NOTE = Call.of("file_write", Map.of("path", "note.txt"));

    private final MockToolgate gate = MockToolgate.start(
            Map.of("frontend", List.of("file_read", "file_write", "deploy"), "backend", List.of("database_write")));
    private final Toolgate client = gate.client("frontend");
    private final GatedAgent agent = new GatedAgent(client, "frontend", Escalation.to(client, "backend"));

    @AfterEach
    void stop() {
        gate.close();
    }

    @Test
    void an_allowed_tool_is_used() {
        gate.returning("file_read", Map.of("lines", 3));

        ToolResult result = agent.use("file_read", Map.of("path", "a.txt"));

        assertThat(result.success()).isTrue();
        assertThat(result.structured().path("lines").asInt()).isEqualTo(3);
        assertThat(agent.availableTools()).extracting(Tool::name).containsExactly("deploy", "file_read", "file_write");
    }

    @Test
    void a_denied_call_goes_on_with_an_alternative_that_is_allowed() {
        agent.use(WRITE, Call.of("bash"), NOTE);

        assertThat(gate.calls())
                .extracting(MockCall::tool, MockCall::outcome)
                .containsExactly(tuple("database_write", "denied"), tuple("file_write", "completed"));
    }

    @Test
    void a_denied_call_that_is_not_critical_is_not_escalated() {
        assertThatThrownBy(() -> agent.use(WRITE)).isInstanceOfSatisfying(DeniedException.class, denied -> {
            assertThat(denied.violationType()).isEqualTo("permission_denied");
            assertThat(denied.allowedTools()).contains("file_read");
            assertThat(denied.suggestion()).contains("grant 'database_write'");
        });
        assertThat(gate.calls()).hasSize(1);
        assertThatThrownBy(() -> gate.assertEscalated("database_write")).isInstanceOf(AssertionError.class);
    }

    @Test
    void a_critical_call_is_escalated() {
        assertThat(agent.useCritical(WRITE.withId("mine")).success()).isTrue();

        gate.assertEscalated("database_write");
        assertThat(gate.calls()).extracting(MockCall::agent).containsExactly("frontend", "backend");
    }

    @Test
    void what_a_person_refuses_is_not_escalated() {
        for (MockApprovals answer : List.of(MockApprovals.DENIED, MockApprovals.TIMED_OUT)) {
            gate.holding("file_write", answer);
            assertThatThrownBy(() -> agent.useCritical(NOTE))
                    .isInstanceOf(
                            answer == MockApprovals.DENIED
                                    ? ApprovalDeniedException.class
                                    : ApprovalTimeoutException.class);
        }
        assertThat(gate.calls()).extracting(MockCall::agent).containsOnly("frontend");
    }

    @Test
    void a_subclass_says_what_a_denied_call_means() {
        GatedAgent careful = new GatedAgent(client, "frontend") {
            @Override
            protected ToolResult onDenied(Call call, DeniedException denied) {
                return use("file_read", Map.of("path", "instead.txt"));
            }
        };

        assertThat(careful.useCritical(WRITE).data()).isEqualTo("ok");
    }

    @Test
    void a_held_call_is_approved_and_a_repeated_one_not_run_twice() {
        AtomicInteger runs = new AtomicInteger();
        gate.holding("file_write", MockApprovals.APPROVED)
                .answering("file_write", parameters -> "run " + runs.incrementAndGet());

        Call call = NOTE.withId("once");
        assertThat(client.submit(call)).isInstanceOf(Outcome.Pending.class);
        assertThat(client.execute(call).data()).isEqualTo("run 1");
        assertThat(client.execute(call).data()).isEqualTo("run 1");
        assertThatThrownBy(() -> client.execute(call.with("path", "other.txt")))
                .isInstanceOfSatisfying(ToolgateException.class, taken -> assertThat(taken.code())
                        .isEqualTo("REQUEST_ID_TAKEN"));
    }

    @Test
    void a_permit_runs_a_tool_once_and_reports_it() throws Exception {
        Permit permit = client.authorize("deploy", Map.of("host", "staging"));
        assertThat(permit.parameters()).isEqualTo(Map.of("host", "staging"));
        AtomicInteger runs = new AtomicInteger();

        assertThat(permit.run(() -> "deployed " + runs.incrementAndGet())).isEqualTo("deployed 1");
        assertThatThrownBy(() -> permit.run(runs::incrementAndGet)).isInstanceOf(IllegalStateException.class);

        assertThat(runs).hasValue(1);
        assertThat(client.collect(permit.requestId()).orThrow().data()).isEqualTo("deployed 1");
    }

    @Test
    void a_tool_that_throws_is_reported_as_failed() {
        Permit permit = client.authorize("deploy", Map.of());

        assertThatThrownBy(() -> permit.run(() -> {
                    throw new IOException("no route to host");
                }))
                .isInstanceOf(IOException.class);

        assertThat(client.collect(permit.requestId()))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.error().message()).contains("no route to host"));
    }

    @Test
    void a_permit_that_is_closed_unused_is_reported_as_failed() {
        String id;
        try (Permit permit = client.authorize("deploy", Map.of())) {
            id = permit.requestId();
        }
        assertThat(client.collect(id)).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void asynchronous_calls_end_like_the_others() {
        assertThat(client.executeAsync(NOTE).join().data()).isEqualTo("ok");
        assertThat(client.submitAsync(WRITE).join()).isInstanceOf(Outcome.Denied.class);
        assertThat(client.validateAsync(WRITE).join().allowed()).isFalse();
        assertThat(client.toolsAsync().join()).hasSize(3);
        assertThatThrownBy(() -> client.executeAsync(WRITE).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(DeniedException.class);
        try (Permit permit =
                client.authorizeAsync(ToolCall.of("deploy", Map.of())).join()) {
            assertThat(permit.succeeded("up")).isInstanceOf(Outcome.Completed.class);
        }
    }

    @Test
    void the_mock_answers_without_a_client_as_well() {
        gate.failing("file_read", "no such file");

        assertThat(gate.executeTool("frontend", "file_write", Map.of())).containsEntry("status", "allowed");
        assertThat(gate.executeTool("frontend", "database_write", Map.of())).containsEntry("status", "denied");
        assertThatThrownBy(() -> client.execute("file_read", Map.of()))
                .isInstanceOf(ToolFailedException.class)
                .hasMessage("no such file");
    }
}
