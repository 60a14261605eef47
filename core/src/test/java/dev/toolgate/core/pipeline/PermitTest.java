package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ExternalTool;
import dev.toolgate.core.tool.RunsAt;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tools that the caller runs: the same stages, with a permit instead of a run. */
class PermitTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Gate gate = new Gate().with(deploy()).with(EchoTool.safe()).granting("deploy");

    private static ExternalTool deploy() {
        ObjectNode schema = (ObjectNode) Json.MAPPER.readTree("""
                {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}""");
        return ExternalTool.of("deploy", "Deploys", schema, "Deploy", Danger.SAFE);
    }

    @Test
    void an_allowed_call_gets_a_permit_and_its_report_is_recorded() {
        Answer.Permitted permitted = permitted(gate.send(call("r1", "a")));
        assertThat(permitted.arguments()).isEqualTo(Json.MAPPER.readTree("{\"host\": \"a\"}"));
        assertThat(gate.audit.entries()).isEmpty();
        assertThat(gate.audit.intents()).hasSize(1);

        Optional<Answer> reported =
                gate.pipeline().report(open("r1"), new Outcome.Completed(Output.text("up")), Duration.ofMillis(7));

        assertThat(reported.orElseThrow()).isInstanceOf(Answer.Ended.class);
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.status()).isEqualTo(AuditLog.Status.COMPLETED);
            assertThat(entry.executedBy()).isEqualTo(RunsAt.CLIENT);
            assertThat(entry.took()).isEqualTo(Duration.ofMillis(7));
            assertThat(entry.call()).isEqualTo(gate.audit.intents().getFirst());
        });
        assertThat(gate.send(call("r1", "a")).asOutcome()).isInstanceOf(Outcome.Completed.class);
    }

    @Test
    void the_same_call_gets_the_same_permit_and_other_arguments_none() {
        Answer.Permitted first = permitted(gate.send(call("r1", "a")));

        assertThat(gate.send(call("r1", "a"))).isEqualTo(first);
        assertThat(code(gate.send(call("r1", "b")))).isEqualTo(ErrorCode.REQUEST_ID_TAKEN);
        assertThat(code(gate.send(call("r1", "a").permittedFor(null)))).isEqualTo(ErrorCode.REQUEST_ID_TAKEN);
        assertThat(gate.audit.intents()).hasSize(1);
    }

    @Test
    void a_tool_runs_only_where_it_belongs() {
        gate.granting("echo");
        assertThat(code(gate.send(Gate.call("deploy", Map.of("host", "a"))))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(code(gate.send(Gate.call("echo", Map.of("text", "a")).permittedFor(HOUR))))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(gate.audit.intents()).isEmpty();
    }

    @Test
    void a_refused_call_and_a_wrong_argument_get_no_permit() {
        gate.grants.revoke(Gate.ALICE.tenant(), Gate.ALICE.agent(), "deploy");
        assertThat(code(gate.send(call("r1", "a")))).isEqualTo(ErrorCode.PERMISSION_DENIED);

        gate.granting("deploy");
        Call wrong = Gate.call("deploy", Map.of("host", 1)).permittedFor(HOUR);
        assertThat(code(gate.send(wrong))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(gate.audit.intents()).isEmpty();
        assertThat(gate.audit.entries()).extracting(AuditLog.Entry::executedBy).containsOnly(RunsAt.CLIENT);
    }

    @Test
    void a_revoked_caller_does_not_get_its_permit_again() {
        permitted(gate.send(call("r1", "a")));
        gate.grants.revoke(Gate.ALICE.tenant(), Gate.ALICE.agent(), "deploy");

        assertThat(code(gate.send(call("r1", "a")))).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void an_id_that_the_gate_chose_can_be_reported() {
        Answer.Permitted permitted =
                permitted(gate.send(Gate.call("deploy", Map.of("host", "a")).permittedFor(HOUR)));

        assertThat(open(permitted.requestId().value()).until()).isEqualTo(permitted.expiresAt());
    }

    @Test
    void an_approved_call_gets_its_permit_when_its_caller_comes_back() {
        gate.rules.add((_, _, _) -> new Decision.NeedsApproval("ask first", null));
        Call call = call("r1", "a").held(Call.WhenHeld.RETURN);
        assertThat(gate.send(call)).isInstanceOf(Answer.Held.class);
        assertThat(gate.send(call)).isInstanceOf(Answer.Held.class);
        ApprovalRequest asked = gate.approvals.open().iterator().next();
        gate.approvals.answer(
                Gate.ALICE.tenant(),
                asked.id(),
                new ApprovalDesk.Vote(ApprovalDesk.Choice.APPROVE, "olga", null, ApprovalDesk.Scope.AGENT, null));
        assertThat(gate.audit.intents()).as("nobody has come for it").isEmpty();

        Answer.Permitted permitted = permitted(gate.send(call));

        assertThat(gate.send(call)).isEqualTo(permitted);
        assertThat(open("r1").approval().by()).isEqualTo("olga");
        assertThat(gate.audit.intents()).hasSize(1);
    }

    @Test
    void an_unregistered_tool_is_unknown() {
        gate.granting("stray");

        assertThat(code(gate.send(Gate.call("stray", Map.of()).permittedFor(HOUR))))
                .isEqualTo(ErrorCode.TOOL_NOT_FOUND);
    }

    private OpenPermit open(String request) {
        return ((Permits.Found.Open) gate.audit
                        .find(Gate.ALICE.tenant(), new RequestId(request), null)
                        .getFirst())
                .permit();
    }

    private static Call call(String request, String host) {
        return Gate.call("deploy", Map.of("host", host))
                .as(new RequestId(request))
                .permittedFor(HOUR);
    }

    private static Answer.Permitted permitted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Permitted.class);
        return (Answer.Permitted) answer;
    }

    private static ErrorCode code(Answer answer) {
        Failure failure =
                switch (answer.asOutcome()) {
                    case Outcome.Failed failed -> failed.failure();
                    case Outcome.Refused refused -> refused.failure();
                    case Outcome.Completed completed -> throw new AssertionError(completed);
                };
        return failure.code();
    }
}
