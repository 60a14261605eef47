package dev.toolgate.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.audit.AuditLog.Progress;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.core.call.ServerResult;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Contract of audit logs and request keys for repeated calls. */
public abstract class RequestKeysContract {
    private static final Caller ALICE = AuditLogContract.ALICE;
    private static final Outcome DONE = new Outcome.Completed(Output.text("done"));
    private static final Outcome OTHER = new Outcome.Completed(Output.text("other"));
    private static final RequestKey KEY = key("r1", "a");

    protected abstract AuditLog log() throws Exception;

    protected abstract RequestKeys keys() throws Exception;

    /** The request ids of all entries of the tenant acme. */
    protected abstract List<String> recorded() throws Exception;

    @Test
    void an_unused_key_is_unknown() throws Exception {
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.Nothing());
    }

    @Test
    void a_key_taken_with_an_intent_is_running_until_the_entry() throws Exception {
        log().intend(intent("r1"), KEY);
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.StillRunning());
        assertThat(keys().find(key("r1", "b"))).isEqualTo(new Earlier.OtherCall());

        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.HELD));
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(keys().find(key("r1", "b"))).isEqualTo(new Earlier.OtherCall());
        assertThat(recorded()).containsExactly("r1");
    }

    @Test
    void an_outcome_that_is_not_stored_is_reported_as_forgotten() throws Exception {
        log().intend(intent("r1"), KEY);

        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, null, Claim.HELD));

        assertThat(keys().find(KEY)).isEqualTo(new Earlier.Forgotten());
        assertThat(keys().find(key("r1", "b"))).isEqualTo(new Earlier.OtherCall());
    }

    @Test
    void a_key_without_an_intent_is_taken_with_the_entry() throws Exception {
        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.NEW));

        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
    }

    @Test
    void a_taken_key_cannot_be_taken_again_and_nothing_is_written() throws Exception {
        log().intend(intent("r1"), KEY);
        assertThatThrownBy(() -> log().intend(intent("r1"), KEY)).isInstanceOf(RequestKeys.Taken.class);
        assertThatThrownBy(() -> log().intend(intent("r1"), key("r1", "b"))).isInstanceOf(RequestKeys.Taken.class);

        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.HELD));
        assertThatThrownBy(() -> log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, OTHER, Claim.NEW)))
                .isInstanceOf(RequestKeys.Taken.class);
        assertThatThrownBy(() -> log().intend(intent("r1"), KEY)).isInstanceOf(RequestKeys.Taken.class);
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(recorded()).containsExactly("r1");
    }

    @Test
    void a_call_that_never_started_does_not_end_the_one_that_runs() throws Exception {
        log().intend(intent("r1"), KEY);
        assertThatThrownBy(() -> log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, OTHER, Claim.NEW)))
                .isInstanceOf(RequestKeys.Taken.class);
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.StillRunning());

        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.HELD));
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(recorded()).containsExactly("r1");
    }

    @Test
    void of_concurrent_claims_one_is_granted_until_released() throws Exception {
        RequestKeys keys = keys();
        for (int round = 0; round < 20; round++) {
            RequestKey key = key("r" + round, "a");
            List<Future<Earlier>> claims = new ArrayList<>();
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 10; i++) {
                    claims.add(callers.submit(() -> keys.claim(key)));
                }
            }
            assertThat(claims.stream().map(Future::resultNow))
                    .containsOnlyOnce(new Earlier.Nothing())
                    .containsOnly(new Earlier.Nothing(), new Earlier.StillRunning());
            assertThat(keys.claim(key("r" + round, "b"))).isEqualTo(new Earlier.OtherCall());

            keys.release(key);
            assertThat(keys.claim(key("r" + round, "b"))).isEqualTo(new Earlier.Nothing());
        }
    }

    @Test
    void a_permanently_taken_key_cannot_be_claimed() throws Exception {
        log().intend(intent("r1"), KEY);
        assertThat(keys().claim(KEY)).isEqualTo(new Earlier.StillRunning());
        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.HELD));

        assertThat(keys().claim(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(keys().claim(key("r1", "b"))).isEqualTo(new Earlier.OtherCall());
    }

    @Test
    void a_started_call_is_recorded_even_if_another_has_its_key() throws Exception {
        log().intend(intent("r1"), KEY);

        log().record(entry("r1"), new KeptAnswer(key("r1", "b"), OTHER, Claim.NEW, Progress.STARTED));
        assertThat(recorded()).containsExactly("r1");
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.StillRunning());

        log().record(entry("r1"), new KeptAnswer(KEY, DONE, Claim.HELD, Progress.STARTED));
        log().record(entry("r1"), new KeptAnswer(KEY, OTHER, Claim.NEW, Progress.STARTED));
        assertThat(recorded()).containsExactly("r1", "r1", "r1");
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
    }

    @Test
    void agents_do_not_share_request_ids() throws Exception {
        RequestKey ofBob = new RequestKey(KEY.tenant(), new AgentId("bob"), KEY.requestId(), "b".repeat(64));
        assertThat(keys().claim(KEY)).isEqualTo(new Earlier.Nothing());
        assertThat(keys().claim(ofBob)).isEqualTo(new Earlier.Nothing());

        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.NEW));
        assertThat(keys().find(ofBob)).isEqualTo(new Earlier.Nothing());
        log().record(entry("r1"), KeptAnswer.ofUnstarted(ofBob, OTHER, Claim.NEW));
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(keys().find(ofBob)).isEqualTo(new Earlier.SameCall(OTHER));
    }

    @Test
    void tenants_do_not_share_request_ids() throws Exception {
        log().record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.NEW));

        RequestKey elsewhere = new RequestKey(new TenantId("other"), KEY.agent(), KEY.requestId(), KEY.digest());
        assertThat(keys().find(elsewhere)).isEqualTo(new Earlier.Nothing());
    }

    @Test
    void every_kind_of_outcome_is_read_back() throws Exception {
        Output rich = new Output(
                "text \0 \u2028 é 😀",
                Json.MAPPER.readTree("{\"z\":1,\"a\":[null,true,\"x\"]}"),
                Map.of("exitCode", 3, "nested", Map.of("list", List.of(1, 2))),
                List.of(),
                Output.Verdict.ERROR,
                new ServerResult(
                        (ArrayNode) Json.MAPPER.readTree(
                                "[{\"type\":\"text\",\"text\":\"a\",\"annotations\":{\"priority\":0.5}}]"),
                        (ObjectNode) Json.MAPPER.readTree("{\"example.org/cost\":3}")));
        Failure failure = new Failure(
                ErrorCode.TOOL_EXECUTION_TIMEOUT, "too slow", Map.of("attempts", 5), Duration.ofMillis(1500), rich);
        List<Outcome> outcomes =
                List.of(new Outcome.Completed(rich), new Outcome.Failed(failure), new Outcome.Refused(failure));
        for (int i = 0; i < outcomes.size(); i++) {
            RequestKey key = key("r" + i, "a");
            log().record(entry("r" + i), KeptAnswer.ofUnstarted(key, outcomes.get(i), Claim.NEW));
            assertThat(keys().find(key)).isEqualTo(new Earlier.SameCall(outcomes.get(i)));
        }
    }

    @Test
    void artifacts_are_read_back_by_reference() throws Exception {
        Artifact artifact = Artifact.of("image", "image/png", "a.png", Content.of("12345"))
                .storedAt("workspaces/w/artifacts/1", Content.of("12345"));
        log().record(
                        entry("r1"),
                        KeptAnswer.ofUnstarted(
                                KEY,
                                new Outcome.Completed(Output.text("x").withArtifacts(List.of(artifact))),
                                Claim.NEW));

        Artifact kept = ((Outcome.Completed) ((Earlier.SameCall) keys().find(KEY)).outcome())
                .output()
                .artifacts()
                .getFirst();
        assertThat(kept).usingRecursiveComparison().ignoringFields("content").isEqualTo(artifact);
        assertThat(kept.content().size()).isEqualTo(5);
    }

    @Test
    void of_concurrent_calls_with_one_key_exactly_one_is_recorded() throws Exception {
        AuditLog log = log();
        List<Future<?>> same = new ArrayList<>();
        List<Future<?>> others = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                RequestKey other = key("other" + i, "a");
                same.add(callers.submit(() -> log.record(entry("r1"), KeptAnswer.ofUnstarted(KEY, DONE, Claim.NEW))));
                others.add(callers.submit(() ->
                        log.record(entry(other.requestId().value()), KeptAnswer.ofUnstarted(other, OTHER, Claim.NEW))));
            }
        }

        int refused = 0;
        for (Future<?> call : same) {
            try {
                call.get();
            } catch (ExecutionException late) {
                assertThat(late).hasCauseInstanceOf(RequestKeys.Taken.class);
                refused++;
            }
        }
        for (Future<?> call : others) {
            call.get();
        }
        assertThat(refused).isEqualTo(49);
        assertThat(recorded()).hasSize(51).containsOnlyOnce("r1");
    }

    protected static RequestKey key(String request, String body) {
        String digest = body.repeat(64).substring(0, 64);
        return new RequestKey(new TenantId("acme"), ALICE.agent(), new RequestId(request), digest);
    }

    protected static AuditLog.Intent intent(String request) {
        return new AuditLog.Intent(
                AuditLog.Kind.CALL,
                new RequestId(request),
                ALICE,
                CallContext.NONE,
                null,
                "bash",
                "execute",
                Json.MAPPER.createObjectNode().put("command", "ls"),
                null,
                null,
                Instant.parse("2026-03-01T12:00:00Z"));
    }

    protected static AuditLog.Entry entry(String request) {
        return AuditLogContract.completed(request, ALICE);
    }
}
