package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Gate.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolPermission;
import dev.toolgate.core.tool.ToolScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private final Gate gate = new Gate();

    @Test
    void a_granted_call_runs_and_is_on_record() {
        Answer answer = gate.with(EchoTool.safe()).granting("echo").send("echo", Map.of("text", "hi"));

        assertThat(output(answer).text()).isEqualTo("hi");
        assertThat(output(answer).structured()).isEqualTo(new EchoTool.Result("hi"));
        assertThat(answer.logged()).isTrue();
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.tool()).isEqualTo("echo");
            assertThat(entry.allowed()).isTrue();
            assertThat(entry.parameters().path("text").asString()).isEqualTo("hi");
        });
    }

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
                new Grants.Grant(Grants.Approval.NOT_NEEDED, Instant.now().minusSeconds(1)));

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
    void an_unknown_tool_fails_by_name() {
        assertThat(failure(gate.send("nope", Map.of()))).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_NOT_FOUND);
            assertThat(failure.message()).isEqualTo("Unknown tool: nope");
        });
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void wrong_arguments_fail_naming_the_field() {
        gate.with(EchoTool.safe()).granting("echo");

        assertThat(failure(gate.send("echo", Map.of())).message()).isEqualTo("Missing required field: text.");
        assertThat(failure(gate.send("echo", Map.of("text", 7))).message())
                .isEqualTo("Field 'text' must be text, not a whole number.");
    }

    @Test
    void an_alias_brings_its_defaults_and_its_path_rule() {
        gate.with(EchoTool.safe()).granting("echo");

        assertThat(output(gate.send("Echo", Map.of("text", "a"))).text()).isEqualTo("aaa");
        assertThat(output(gate.send("Echo", Map.of("text", "a", "times", 2))).text())
                .isEqualTo("aa");
        assertThat(output(gate.send("sayEcho", Map.of("text", "a", "path", "here")))
                        .text())
                .isEqualTo("a");
        assertThat(failure(gate.send("Echo", Map.of("text", "a", "path", "here")))
                        .message())
                .isEqualTo("Field 'path' must be an absolute path.");
        assertThat(gate.audit.entries())
                .allSatisfy(entry -> assertThat(entry.tool()).isEqualTo("echo"));
    }

    @Test
    void a_tool_that_throws_fails_without_a_crash() {
        gate.with(EchoTool.safe((_, _) -> {
                    throw new IllegalStateException("password=hunter22");
                }))
                .granting("echo");

        assertThat(failure(gate.send("echo", Map.of("text", "hi")))).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("IllegalStateException").doesNotContain("hunter22");
        });
    }

    @Test
    void a_tool_that_recurses_for_ever_fails_without_a_crash() {
        gate.with(EchoTool.safe((_, _) -> Output.text("" + depth(0)))).granting("echo");

        assertThat(failure(gate.send("echo", Map.of("text", "hi"))).message()).contains("StackOverflowError");
    }

    @Test
    void an_expected_failure_keeps_its_code_and_partial_output() {
        gate.with(EchoTool.safe((_, _) -> {
                    throw new ToolFailure(ErrorCode.FILE_NOT_FOUND, "gone", Output.text("so far"));
                }))
                .granting("echo");

        Failure failure = failure(gate.send("echo", Map.of("text", "hi")));

        assertThat(failure.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
        assertThat(failure.partial()).isNotNull().satisfies(partial -> assertThat(partial.text())
                .isEqualTo("so far"));
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
        Passage passage = new Passage(Gate.call("echo", Map.of("text", "hi")), Instant.now());
        new Bind(gate.catalog, path -> path.startsWith("/")).apply(passage);

        assertThat(new Decide(List.of()).apply(passage)).containsInstanceOf(Outcome.Refused.class);
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
    void an_unknown_expired_or_foreign_session_is_refused() {
        gate.with(EchoTool.safe()).granting("echo");
        SessionId session = new SessionId("s1");
        assertThat(refusal(gate.send(inSession(session))).code()).isEqualTo(ErrorCode.SESSION_NOT_FOUND);

        gate.policies.put(bundle(session, Instant.now().minusSeconds(1), CapabilityGrant.named("Echo.Say")));
        assertThat(refusal(gate.send(inSession(session))).code()).isEqualTo(ErrorCode.POLICY_EXPIRED);

        Caller stranger = new Caller(new TenantId("other"), ALICE.agent(), session, ALICE.workspace());
        Call foreign = Call.of(
                stranger, "echo", Gate.call("echo", Map.of("text", "hi")).arguments());
        assertThat(refusal(gate.send(foreign)).code()).isEqualTo(ErrorCode.SESSION_NOT_FOUND);
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
                .containsExactly(new Bounds(50L, 300, Duration.ofSeconds(9), List.of("/src"), List.of("/etc"), null));
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
    void a_rate_limit_says_how_long_to_wait() {
        gate.with(EchoTool.safe()).granting("echo");
        gate.limits = (_, _) -> Optional.of(Duration.ofMillis(29_500));

        Failure failure = refusal(gate.send("echo", Map.of("text", "hi")));

        assertThat(failure.code()).isEqualTo(ErrorCode.RATE_LIMITED);
        assertThat(failure.details()).containsEntry("retryAfterSeconds", 30L);
    }

    @Test
    void the_intent_is_on_record_before_a_tool_with_side_effects_starts() {
        List<Integer> intentsSeenByTool = new ArrayList<>();
        gate.with(EchoTool.dangerous((_, _) -> {
                    intentsSeenByTool.add(gate.audit.intents().size());
                    return Output.text("");
                }))
                .granting("echo");

        gate.send("echo", Map.of("text", "hi"));

        assertThat(intentsSeenByTool).containsExactly(1);
    }

    @Test
    void a_tool_with_side_effects_does_not_start_when_its_intent_cannot_be_recorded() {
        AtomicBoolean ran = new AtomicBoolean();
        gate.with(EchoTool.dangerous((_, _) -> {
                    ran.set(true);
                    return Output.text("");
                }))
                .granting("echo");
        gate.auditLog = new BrokenAuditLog();

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(ran).isFalse();
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(answer.logged()).isFalse();
    }

    @Test
    void a_result_that_cannot_be_recorded_is_withheld() {
        gate.with(EchoTool.safe()).granting("echo");
        gate.auditLog = new BrokenAuditLog();

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(answer.logged()).isFalse();
        assertThat(failure(answer).message()).contains("withheld");
    }

    @Test
    void long_output_is_cut_to_the_callers_limit() {
        gate.with(EchoTool.safe((_, _) -> Output.text("x".repeat(5000)))).granting("echo");

        assertThat(output(gate.send("echo", Map.of("text", "hi"))).text()).hasSizeLessThanOrEqualTo(1000);
        assertThat(output(gate.send(Gate.call("echo", Map.of("text", "hi")).within(Bounds.sizes(null, 200))))
                        .text())
                .hasSizeLessThanOrEqualTo(200)
                .contains("truncated");
    }

    @Test
    void artifacts_are_stored_and_referenced() throws Exception {
        gate.with(EchoTool.safe((_, _) -> Output.text("see artifact")
                        .attaching(
                                List.of(Artifact.of("tool_output", "text/plain", "out.txt", Content.of("all of it"))))))
                .granting("echo");

        String uri = Objects.requireNonNull(output(gate.send("echo", Map.of("text", "hi")))
                .artifacts()
                .getFirst()
                .uri());

        assertThat(uri).startsWith("workspaces/local/artifacts/");
        assertThat(gate.artifacts.find(ALICE.tenant(), uri)).isPresent();
        assertThat(gate.artifacts.find(new TenantId("other"), uri)).isEmpty();
    }

    @Test
    void secrets_stay_out_of_the_record_and_known_ones_out_of_the_result() {
        gate.redactor = gate.redactor.knowing(Set.of("s3cr3t-value"));
        gate.with(EchoTool.safe()).granting("echo");

        Answer answer = gate.send("echo", Map.of("text", "use s3cr3t-value or ghp_" + "a".repeat(36)));

        assertThat(output(answer).text()).doesNotContain("s3cr3t-value");
        assertThat(gate.audit.entries().toString())
                .doesNotContain("s3cr3t-value")
                .doesNotContain("ghp_aaaa");
    }

    @Test
    void cancelling_stops_the_tool_and_leaves_no_interrupt_behind() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        gate.with(EchoTool.safe((_, _) -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Call call = Gate.call("echo", Map.of("text", "hi"));
        Thread.startVirtualThread(() -> {
            try {
                started.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            call.cancellation().cancel();
        });

        assertThat(failure(gate.send(call)).message()).contains("cancelled");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_call_that_was_cancelled_before_it_started_does_not_finish() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Call call = Gate.call("echo", Map.of("text", "hi"));
        call.cancellation().cancel();

        assertThat(failure(gate.send(call)).message()).contains("cancelled");
    }

    @Test
    void a_tool_that_takes_too_long_times_out() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        ToolScope scope = new ToolScope(Map.of("echo", new ToolPermission(true, List.of(), Duration.ofMillis(20))));

        Failure failure =
                failure(gate.send(Gate.call("echo", Map.of("text", "hi")).scopedTo(scope)));

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
    }

    @Test
    void an_interrupt_of_the_hosts_own_is_kept_for_the_host() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Thread.currentThread().interrupt();

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure(answer).message()).contains("cancelled");
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
    }

    private static Call inSession(SessionId session) {
        Call call = Gate.call("echo", Map.of("text", "hi"));
        return Call.of(ALICE.in(session), "echo", call.arguments());
    }

    private static PolicyBundle bundle(SessionId session, Instant expires, CapabilityGrant capability) {
        return new PolicyBundle("1", "1.0", ALICE.tenant(), "user", session, expires, List.of(capability));
    }

    @SuppressWarnings("InfiniteRecursion") // that is the point
    private static int depth(int from) {
        return depth(from + 1) + 1;
    }

    private static Output output(Answer answer) {
        assertThat(answer.outcome()).isInstanceOf(Outcome.Completed.class);
        return ((Outcome.Completed) answer.outcome()).output();
    }

    private static Failure failure(Answer answer) {
        assertThat(answer.outcome()).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) answer.outcome()).failure();
    }

    private static Failure refusal(Answer answer) {
        assertThat(answer.outcome()).isInstanceOf(Outcome.Refused.class);
        return ((Outcome.Refused) answer.outcome()).failure();
    }

    private static final class BrokenAuditLog implements AuditLog {
        @Override
        public void intend(Intent intent) {
            throw new IllegalStateException("disk full");
        }

        @Override
        public void record(@Nullable Entry entry) {
            throw new IllegalStateException("disk full");
        }
    }
}
