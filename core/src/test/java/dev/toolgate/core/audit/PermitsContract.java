package dev.toolgate.core.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.audit.AuditLog.Progress;
import dev.toolgate.core.audit.Permits.Found;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.RunsAt;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Contract of permits: open until reported or expired, ended once. */
public abstract class PermitsContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final RequestKey KEY = RequestKeysContract.key("r1", "a");
    private static final Outcome DONE = new Outcome.Completed(Output.text("done"));
    private static final Outcome OTHER = new Outcome.Completed(Output.text("other"));
    private static final AuditLog.Approval APPROVAL =
            new AuditLog.Approval("olga", Instant.parse("2026-03-01T11:00:00Z"), "fine", "rule-1");

    protected abstract AuditLog log() throws Exception;

    protected abstract RequestKeys keys() throws Exception;

    protected abstract Permits permits() throws Exception;

    /** Ends expired permits. */
    protected abstract void sweep() throws Exception;

    /** All entries of the tenant acme, as status, who ran the tool, and who approved. */
    protected abstract List<String> recorded() throws Exception;

    /** An entry of the tenant acme as text. */
    protected static String inWords(AuditLog.Status status, RunsAt executedBy, String approvedBy) {
        return status + " " + executedBy.wireName() + " " + approvedBy;
    }

    @Test
    void a_permit_is_open_until_its_outcome_is_reported() throws Exception {
        Instant until = later();
        log().permit(permit(until));

        assertThat(keys().find(KEY)).isEqualTo(new Earlier.Permitted(until));
        assertThat(keys().claim(KEY)).isEqualTo(new Earlier.Permitted(until));
        assertThat(keys().find(RequestKeysContract.key("r1", "b"))).isEqualTo(new Earlier.OtherCall());
        OpenPermit open = open();
        assertThat(open.key()).isEqualTo(KEY);
        assertThat(open.until()).isEqualTo(until);
        assertThat(open.approval()).isEqualTo(APPROVAL);
        assertThat(open.intent()).isEqualTo(RequestKeysContract.intent("r1"));
        sweep();
        assertThat(recorded()).isEmpty();

        log().record(entry(open), report(DONE));

        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(found()).containsExactly(new Found.Reported(KEY.agent()));
        assertThat(recorded()).containsExactly("COMPLETED client olga");
    }

    @Test
    void a_taken_key_gives_no_permit() throws Exception {
        log().permit(permit(later()));

        assertThatThrownBy(() -> log().permit(permit(later()))).isInstanceOf(RequestKeys.Taken.class);
        assertThatThrownBy(() -> log().intend(RequestKeysContract.intent("r1"), KEY))
                .isInstanceOf(RequestKeys.Taken.class);
        assertThat(found()).hasSize(1);
    }

    @Test
    void only_the_first_report_is_recorded() throws Exception {
        log().permit(permit(later()));
        OpenPermit open = open();
        log().record(entry(open), report(DONE));

        assertThatThrownBy(() -> log().record(entry(open), report(OTHER))).isInstanceOf(RequestKeys.Taken.class);

        assertThat(keys().find(KEY)).isEqualTo(new Earlier.SameCall(DONE));
        assertThat(recorded()).hasSize(1);
    }

    @Test
    void of_concurrent_reports_one_is_recorded() throws Exception {
        log().permit(permit(later()));
        OpenPermit open = open();
        AuditLog log = log();
        List<Future<?>> reports = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                Outcome outcome = i % 2 == 0 ? DONE : OTHER;
                reports.add(callers.submit(() -> log.record(entry(open), report(outcome))));
            }
        }

        int late = 0;
        for (Future<?> each : reports) {
            try {
                each.get();
            } catch (ExecutionException refused) {
                assertThat(refused).hasCauseInstanceOf(RequestKeys.Taken.class);
                late++;
            }
        }
        assertThat(late).isEqualTo(19);
        assertThat(recorded()).hasSize(1);
    }

    @Test
    void an_unreported_permit_ends_as_interrupted_once_and_stays_so() throws Exception {
        log().permit(permit(later()));
        OpenPermit open = open();
        Instant past = Instant.now().minusSeconds(1).truncatedTo(ChronoUnit.MILLIS);
        RequestKey second = RequestKeysContract.key("r2", "a");
        log().permit(new AuditLog.Permit(RequestKeysContract.intent("r2"), second, APPROVAL, past));

        sweep();
        sweep();

        assertThat(keys().find(second))
                .isInstanceOfSatisfying(Earlier.SameCall.class, same -> assertThat(same.outcome())
                        .isInstanceOf(Outcome.Failed.class));
        assertThat(permits().find(ACME, second.requestId(), null))
                .containsExactly(new Found.Expired(second.agent(), past));
        assertThat(recorded()).containsExactly("INTERRUPTED client olga");
        assertThatThrownBy(() -> log().record(entry(open), new KeptAnswer(second, DONE, Claim.HELD, Progress.REPORTED)))
                .isInstanceOf(RequestKeys.Taken.class);
        assertThat(recorded()).hasSize(1);
        assertThat(found()).as("the open one").containsExactly(new Found.Open(open));
    }

    @Test
    void an_expired_permit_cannot_be_reported_before_it_is_swept() throws Exception {
        AuditLog.Permit expired = permit(Instant.now().minusSeconds(1).truncatedTo(ChronoUnit.MILLIS));
        log().permit(expired);
        OpenPermit known = new OpenPermit(expired.call(), expired.key(), expired.approval(), expired.until());

        assertThat(found()).containsExactly(new Found.Expired(KEY.agent(), expired.until()));
        assertThatThrownBy(() -> log().record(entry(known), report(DONE))).isInstanceOf(RequestKeys.Taken.class);

        sweep();
        assertThat(recorded()).containsExactly("INTERRUPTED client olga");
    }

    @Test
    void permits_of_others_are_not_found() throws Exception {
        log().permit(permit(later()));

        assertThat(permits().find(new TenantId("other"), KEY.requestId(), null)).isEmpty();
        assertThat(permits().find(ACME, KEY.requestId(), new AgentId("mallory")))
                .isEmpty();
        assertThat(permits().find(ACME, new RequestId("r9"), null)).isEmpty();
        assertThat(permits().find(ACME, KEY.requestId(), KEY.agent())).hasSize(1);
    }

    @Test
    void an_open_permit_is_found_by_the_id_that_the_model_gave_the_call() throws Exception {
        AuditLog.Intent plain = RequestKeysContract.intent("r1");
        AuditLog.Intent named = new AuditLog.Intent(
                plain.kind(),
                plain.requestId(),
                plain.caller(),
                plain.context().withToolCallId("toolu_7"),
                plain.project(),
                plain.tool(),
                plain.operation(),
                plain.parameters(),
                plain.argumentsDigest(),
                plain.maskedCharacters(),
                plain.at());
        log().permit(new AuditLog.Permit(named, KEY, APPROVAL, later()));

        assertThat(permits().open(ACME, KEY.agent(), "toolu_7")).containsExactly(open());
        assertThat(permits().open(ACME, KEY.agent(), "toolu_8")).isEmpty();
        assertThat(permits().open(ACME, new AgentId("mallory"), "toolu_7")).isEmpty();
        assertThat(permits().open(new TenantId("other"), KEY.agent(), "toolu_7"))
                .isEmpty();

        log().record(entry(open()), report(DONE));

        assertThat(permits().open(ACME, KEY.agent(), "toolu_7")).isEmpty();
    }

    @Test
    void a_running_call_of_the_gate_has_no_permit() throws Exception {
        log().intend(RequestKeysContract.intent("r1"), KEY);

        assertThat(found()).isEmpty();
        assertThat(keys().find(KEY)).isEqualTo(new Earlier.StillRunning());
    }

    private List<Found> found() throws Exception {
        return permits().find(ACME, KEY.requestId(), KEY.agent());
    }

    private OpenPermit open() throws Exception {
        return ((Found.Open) found().getFirst()).permit();
    }

    protected static Instant later() {
        return Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);
    }

    /** A permit of another call, without an approval. */
    protected static AuditLog.Permit permit(String request, Instant until) {
        return new AuditLog.Permit(
                RequestKeysContract.intent(request),
                RequestKeysContract.key(request, "a"),
                AuditLog.Approval.NONE,
                until);
    }

    protected static AuditLog.Permit permit(Instant until) {
        return new AuditLog.Permit(RequestKeysContract.intent("r1"), KEY, APPROVAL, until);
    }

    private static KeptAnswer report(Outcome outcome) {
        return new KeptAnswer(KEY, outcome, Claim.HELD, Progress.REPORTED);
    }

    private static AuditLog.Entry entry(OpenPermit permit) {
        return new AuditLog.Entry(
                permit.intent(),
                Duration.ofMillis(5),
                AuditLog.Status.COMPLETED,
                null,
                null,
                permit.approval(),
                "OK",
                null,
                RunsAt.CLIENT);
    }
}
