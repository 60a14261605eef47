package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.failure;
import static dev.toolgate.core.pipeline.Answers.refusal;
import static dev.toolgate.core.pipeline.Answers.undecided;
import static dev.toolgate.core.pipeline.Gate.ALICE;
import static dev.toolgate.core.pipeline.Sessions.bundle;
import static dev.toolgate.core.pipeline.Sessions.inSession;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdmitTest {
    private final Gate gate = new Gate();

    @Test
    void an_unknown_expired_or_foreign_session_is_refused() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        assertThat(refusal(gate.send(inSession(session))).code()).isEqualTo(ErrorCode.SESSION_NOT_FOUND);

        gate.policies.put(bundle(session, Instant.now().minusSeconds(1), CapabilityGrant.named("Echo.Say")));
        assertThat(refusal(gate.send(inSession(session))).code()).isEqualTo(ErrorCode.POLICY_EXPIRED);

        Caller stranger = Caller.ofAgent(new TenantId("other"), ALICE.agent(), session, ALICE.workspace());
        Call foreign = Call.of(
                stranger, "echo", Gate.call("echo", Map.of("text", "hi")).arguments());
        assertThat(refusal(gate.send(foreign)).code()).isEqualTo(ErrorCode.SESSION_NOT_FOUND);
    }

    @Test
    void a_session_that_was_ended_is_refused_and_says_so() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        gate.policies.put(bundle(session, Instant.now().plusSeconds(60), CapabilityGrant.named("Echo.Say")));
        gate.policies.end(ALICE.tenant(), session);

        assertThat(refusal(gate.send(inSession(session))).code()).isEqualTo(ErrorCode.SESSION_EXPIRED);
    }

    @Test
    void another_agents_session_looks_like_an_unknown_one() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        String absent = refusal(gate.send(inSession(session))).message();
        PolicyBundle bundle = bundle(session, Instant.now().plusSeconds(60), CapabilityGrant.named("Echo.Say"));
        gate.policies.put(new Session(bundle, new AgentId("bob"), null, Instant.now()));

        assertThat(refusal(gate.send(inSession(session)))).isEqualTo(Failure.of(ErrorCode.SESSION_NOT_FOUND, absent));
    }

    @Test
    void a_call_runs_only_in_the_workspace_of_its_session() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        PolicyBundle bundle = bundle(session, Instant.now().plusSeconds(60), CapabilityGrant.named("Echo.Say"));
        gate.policies.put(new Session(bundle, ALICE.agent(), new WorkspaceId("ws"), null));
        Call call = inSession(session);

        Call elsewhere = call.by(call.caller().at(new WorkspaceId("other")));
        assertThat(refusal(gate.send(elsewhere)).code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        assertThat(Answers.output(gate.send(call.by(call.caller().at(WorkspaceId.DEFAULT))))
                        .text())
                .isEqualTo("hi");
        assertThat(gate.audit.entries().getLast().caller().workspace()).isEqualTo(new WorkspaceId("ws"));
    }

    @Test
    void a_rate_limit_says_how_long_to_wait() {
        gate.with(EchoTool.safe()).granting("echo");
        gate.limits = (_, _) -> Optional.of(Duration.ofMillis(29_500));

        Failure failure = undecided(gate.send("echo", Map.of("text", "hi"))).failure();

        assertThat(failure.code()).isEqualTo(ErrorCode.RATE_LIMITED);
        assertThat(failure.facts()).containsEntry("retryAfterSeconds", 30L);
    }

    @Test
    void a_session_of_the_same_name_in_another_tenant_changes_nothing() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        PolicyBundle own = bundle(session, Instant.now().plusSeconds(60), CapabilityGrant.named("Echo.Say"));
        gate.policies.put(own);
        gate.policies.put(PolicyBundle.of(
                "1", "1.0", new TenantId("other"), "user", session, own.expiresAt(), own.capabilities()));
        gate.policies.end(new TenantId("other"), session);

        assertThat(Answers.output(gate.send(inSession(session))).text()).isEqualTo("hi");
    }
}
