package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.output;
import static dev.toolgate.core.pipeline.Answers.refusal;
import static dev.toolgate.core.pipeline.Gate.ALICE;
import static dev.toolgate.core.pipeline.Sessions.bundle;
import static dev.toolgate.core.pipeline.Sessions.inSession;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DecideTest {
    private final Gate gate = new Gate();

    @Test
    void denies_when_no_grant_matches_and_records_the_refusal() {
        AtomicBoolean ran = new AtomicBoolean();
        gate.with(EchoTool.safe((_, _) -> {
            ran.set(true);
            return Output.text("");
        }));

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(refusal(answer).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal(answer).message()).contains("local").contains("echo");
        assertThat(ran).isFalse();
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.allowed()).isFalse();
            assertThat(entry.denialReason()).contains("not permitted");
        });
    }

    @Test
    void a_grant_of_another_agent_or_tenant_does_not_count() {
        gate.with(EchoTool.safe());
        gate.grants.grant(new TenantId("other"), ALICE.agent(), "echo");
        gate.grants.grant(ALICE.tenant(), new AgentId("bob"), "echo");

        assertThat(refusal(gate.send("echo", Map.of("text", "hi"))).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void an_expired_grant_does_not_count() {
        gate.with(EchoTool.safe());
        gate.grants.grant(
                ALICE.tenant(),
                ALICE.agent(),
                "echo",
                Grants.Grant.of(Grants.Approval.NOT_NEEDED, Instant.now().minusSeconds(1)));

        assertThat(refusal(gate.send("echo", Map.of("text", "hi"))).message()).contains("expired");
    }

    @Test
    void a_revoked_grant_is_gone_for_the_next_call() {
        gate.with(EchoTool.safe()).granting("echo");
        assertThat(output(gate.send("echo", Map.of("text", "hi"))).text()).isEqualTo("hi");

        gate.grants.revoke(ALICE.tenant(), ALICE.agent(), "echo");

        assertThat(refusal(gate.send("echo", Map.of("text", "hi"))).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void the_strictest_rule_wins_and_a_broken_rule_is_a_denial() {
        gate.with(EchoTool.safe()).granting("echo");
        gate.rules.add((_, _, _) -> {
            throw new IllegalStateException("database gone");
        });

        assertThat(refusal(gate.send("echo", Map.of("text", "hi"))).message())
                .contains("could not be made")
                .doesNotContain("database");
    }

    @Test
    void without_any_rule_nothing_is_allowed() {
        gate.with(EchoTool.safe());
        CallProgress progress = new CallProgress(Gate.call("echo", Map.of("text", "hi")), Instant.now());
        new Bind(gate.catalog, path -> path.startsWith("/")).apply(progress);

        assertThat(new Decide(List.of()).apply(progress))
                .hasValueSatisfying(
                        end -> assertThat(((StageEnd.Ended) end).outcome()).isInstanceOf(Outcome.Refused.class));
    }

    @Test
    void a_session_without_the_capability_denies() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        gate.policies.put(bundle(session, Instant.now().plusSeconds(60), CapabilityGrant.named("File.Read")));

        assertThat(refusal(gate.send(inSession(session))).code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);

        gate.policies.put(bundle(session, Instant.now().plusSeconds(60), CapabilityGrant.named("Echo.Say")));
        assertThat(output(gate.send(inSession(session))).text()).isEqualTo("hi");
    }

    @Test
    void limits_of_caller_session_and_scope_meet_in_the_tool() {
        List<Bounds> seen = new ArrayList<>();
        gate.with(EchoTool.safe((_, context) -> {
                    seen.add(context.bounds());
                    return Output.text("");
                }))
                .granting("echo");
        SessionId session = new SessionId("s1");
        gate.policies.put(bundle(
                session,
                Instant.now().plusSeconds(60),
                new CapabilityGrant(
                        "Echo.Say", null, List.of("/etc"), null, null, null, null, 50L, 2000, false, null)));
        ToolScope scope =
                new ToolScope(Map.of("Echo", new ToolPermission(true, List.of("/src"), Duration.ofSeconds(9))));

        gate.send(inSession(session).within(Bounds.sizes(100L, 300)).scopedTo(scope));

        assertThat(seen)
                .containsExactly(new Bounds(
                        50L, 300, Duration.ofSeconds(9), List.of("/src"), List.of("/etc"), null, null, List.of()));
    }

    @Test
    void a_tool_outside_the_scope_is_refused() {
        gate.with(EchoTool.safe()).granting("echo");
        ToolScope scope = new ToolScope(Map.of("file_read", ToolPermission.ALLOWED));

        assertThat(refusal(gate.send(Gate.call("echo", Map.of("text", "hi")).scopedTo(scope)))
                        .message())
                .contains("scope");
    }

    @Test
    void decisions_combine_by_the_strictest() {
        Decision deny = new Decision.Deny(ErrorCode.PERMISSION_DENIED, "no");
        Decision ask = new Decision.NeedsApproval("ask", null);

        assertThat(Decision.allow().and(ask)).isEqualTo(ask);
        assertThat(ask.and(Decision.allow())).isEqualTo(ask);
        assertThat(ask.and(deny)).isEqualTo(deny);
        assertThat(deny.and(ask)).isEqualTo(deny);
        assertThat(Decision.allow().and(Decision.allow())).isEqualTo(Decision.allow());

        Decision askByRule = new Decision.NeedsApproval("ask by rule", "rule");
        for (Decision both : List.of(ask.and(askByRule), askByRule.and(ask))) {
            assertThat(both).isInstanceOfSatisfying(Decision.NeedsApproval.class, needed -> {
                assertThat(needed.approvalRuleId()).isEqualTo("rule");
                assertThat(needed.causes())
                        .containsExactlyInAnyOrder(
                                new Decision.Cause("ask", null), new Decision.Cause("ask by rule", "rule"));
            });
        }
        assertThat(ask.and(ask)).isEqualTo(ask);
        assertThat(ask.and(new Decision.NeedsApproval("ask again", null)))
                .isEqualTo(new Decision.NeedsApproval(
                        List.of(new Decision.Cause("ask", null), new Decision.Cause("ask again", null))));
    }

    @Test
    void a_scope_that_names_a_tool_twice_means_both() {
        ToolSpec<?> echo = EchoTool.specification();
        ToolPermission narrow = new ToolPermission(true, List.of("src/**"), Duration.ofSeconds(5));
        ToolPermission elsewhere = new ToolPermission(true, List.of("docs/**"), null);

        assertThat(echo.permissionIn(new ToolScope(Map.of("echo", narrow, "Echo", ToolPermission.ALLOWED))))
                .isEqualTo(narrow);
        assertThat(echo.permissionIn(new ToolScope(Map.of("echo", ToolPermission.ALLOWED, "Echo", narrow))))
                .isEqualTo(narrow);
        assertThat(echo.permissionIn(new ToolScope(Map.of("echo", narrow, "Echo", elsewhere))))
                .isEqualTo(ToolPermission.REFUSED);
        assertThat(echo.permissionIn(new ToolScope(Map.of("echo", narrow, "Echo", ToolPermission.REFUSED))))
                .isEqualTo(ToolPermission.REFUSED);
    }
}
