package dev.toolgate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.port.ApprovalDesk.Ruling;
import dev.toolgate.core.port.ApprovalDesk.Say;
import dev.toolgate.core.port.ApprovalDesk.Scope;
import dev.toolgate.core.port.ApprovalDesk.State;
import dev.toolgate.core.port.ApprovalDesk.YesOrNo;
import dev.toolgate.core.port.Approvals.Reply;
import dev.toolgate.core.port.Approvals.Verdict;
import dev.toolgate.core.schema.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every keeper of questions must do. */
@Timeout(60)
public abstract class ApprovalsContract {
    protected static final TenantId TENANT = new TenantId("default");
    protected static final AgentId AGENT = new AgentId("asker");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofSeconds(20);

    protected abstract Approvals approvals();

    protected abstract ApprovalDesk desk();

    @Test
    void the_answer_reaches_whoever_waits() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));
        Future<Approvals.Answer> waiting = background(() -> held.await(SOON).orElseThrow());

        assertThat(desk().answer(TENANT, held.id(), Say.once(YesOrNo.YES, "carol", "fine")))
                .isInstanceOf(Ruling.Counted.class);

        assertThat(waiting.get()).satisfies(answer -> {
            assertThat(answer.verdict()).isEqualTo(Verdict.APPROVED);
            assertThat(answer.by()).isEqualTo("carol");
            assertThat(answer.reason()).isEqualTo("fine");
            assertThat(answer.at()).isNotNull();
        });
    }

    @Test
    void an_answer_that_was_given_before_is_found_by_whoever_waits_later() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Say.once(YesOrNo.NO, "carol", null));

        assertThat(held.await(SOON))
                .hasValueSatisfying(answer -> assertThat(answer.verdict()).isEqualTo(Verdict.DENIED));
    }

    @Test
    void whoever_is_not_patient_enough_hears_nothing_and_the_question_stays_open() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));

        assertThat(held.await(Duration.ofMillis(50))).isEmpty();
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void the_same_call_asked_again_joins_the_question() {
        HeldQuestion first = ask(question("r1", "one"));
        HeldQuestion second = ask(question("r1", "one"));

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(desk().list(TENANT, ApprovalDesk.Filter.ALL, null, 10)).hasSize(1);
    }

    @Test
    void joining_lengthens_the_life_of_a_question_and_never_shortens_it() {
        Instant first = ask(question("r1", "one"), Duration.ofMinutes(1)).expiresAt();
        Instant longer = ask(question("r1", "one"), LONG).expiresAt();
        Instant shorter = ask(question("r1", "one"), Duration.ofSeconds(1)).expiresAt();

        assertThat(longer).isAfter(first);
        assertThat(shorter).isEqualTo(longer);
    }

    @Test
    void another_call_under_the_same_request_id_is_told_so() {
        ask(question("r1", "one"));

        assertThat(approvals().ask(question("r1", "two"), LONG)).isInstanceOf(Reply.OtherCall.class);
    }

    @Test
    void a_yes_is_taken_once() throws Exception {
        HeldQuestion first = ask(question("r1", "one"));
        HeldQuestion second = ask(question("r1", "one"));
        assertThat(first.claim()).as("before anybody said yes").isFalse();
        desk().answer(TENANT, first.id(), Say.once(YesOrNo.YES, "carol", null));

        List<Boolean> claims = atOnce(List.of(first::claim, second::claim, first::claim, second::claim));

        assertThat(claims).containsOnlyOnce(true);
    }

    @Test
    void a_no_cannot_be_taken_for_a_yes() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Say.once(YesOrNo.NO, "carol", null));

        assertThat(held.claim()).isFalse();
    }

    @Test
    void of_many_answers_at_once_exactly_one_counts() throws Exception {
        for (int round = 0; round < 20; round++) {
            HeldQuestion held = ask(question("r" + round, "one"));
            List<Ruling> rulings = atOnce(IntStream.range(0, 8)
                    .<Callable<Ruling>>mapToObj(i -> () -> desk().answer(
                                    TENANT, held.id(), Say.once(i % 2 == 0 ? YesOrNo.YES : YesOrNo.NO, "p" + i, null)))
                    .toList());

            List<Ruling.Counted> winners = rulings.stream()
                    .filter(Ruling.Counted.class::isInstance)
                    .map(Ruling.Counted.class::cast)
                    .toList();
            assertThat(winners).hasSize(1);
            Approvals.Answer won = winners.getFirst().request().answer();
            assertThat(rulings)
                    .filteredOn(Ruling.TooLate.class::isInstance)
                    .hasSize(7)
                    .allSatisfy(
                            late -> assertThat(((Ruling.TooLate) late).request().answer())
                                    .isEqualTo(won));
        }
    }

    @Test
    void a_question_ends_with_its_time_and_no_answer_counts_after_that() throws Exception {
        HeldQuestion held = ask(question("r1", "one"), Duration.ofMillis(200));

        assertThat(held.await(SOON))
                .hasValueSatisfying(answer -> assertThat(answer.verdict()).isEqualTo(Verdict.TIMED_OUT));
        assertThat(desk().answer(TENANT, held.id(), Say.once(YesOrNo.YES, "carol", null)))
                .isInstanceOfSatisfying(
                        Ruling.TooLate.class,
                        late -> assertThat(late.request().state()).isEqualTo(State.TIMED_OUT));
        assertThat(held.claim()).isFalse();
    }

    @Test
    void a_withdrawn_call_cannot_be_approved() {
        HeldQuestion held = ask(question("r1", "one"));
        held.withdraw();

        assertThat(desk().answer(TENANT, held.id(), Say.once(YesOrNo.YES, "carol", null)))
                .isInstanceOfSatisfying(
                        Ruling.TooLate.class,
                        late -> assertThat(late.request().state()).isEqualTo(State.WITHDRAWN));
        assertThat(held.claim()).isFalse();
    }

    @Test
    void a_call_that_is_withdrawn_after_a_yes_does_not_run() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Say.once(YesOrNo.YES, "carol", null));
        held.withdraw();

        assertThat(held.claim()).isFalse();
    }

    @Test
    void other_tenants_neither_see_nor_answer() {
        HeldQuestion held = ask(question("r1", "one"));
        TenantId other = new TenantId("other");

        assertThat(desk().find(other, held.id())).isEmpty();
        assertThat(desk().list(other, ApprovalDesk.Filter.ALL, null, 10)).isEmpty();
        assertThat(desk().answer(other, held.id(), Say.once(YesOrNo.YES, "mallory", null)))
                .isInstanceOf(Ruling.Unknown.class);
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void a_yes_for_the_agent_stands_until_it_is_taken_back() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), new Say(YesOrNo.YES, "carol", "trusted", Scope.AGENT, null));

        assertThat(approvals().ask(question("r2", "two"), LONG))
                .isInstanceOfSatisfying(Reply.Settled.class, settled -> {
                    assertThat(settled.answer().verdict()).isEqualTo(Verdict.APPROVED);
                    assertThat(settled.answer().by()).isEqualTo("carol");
                });

        StandingApproval standing = desk().standing(TENANT, null, 10).getFirst();
        assertThat(desk().revoke(new TenantId("other"), standing.id(), "mallory"))
                .isFalse();
        assertThat(desk().revoke(TENANT, standing.id(), "dave")).isTrue();
        assertThat(desk().revoke(TENANT, standing.id(), "dave")).isFalse();
        assertThat(approvals().ask(question("r3", "three"), LONG)).isInstanceOf(Reply.Asked.class);
        assertThat(desk().standing(TENANT, null, 10)).isEmpty();
    }

    @Test
    void a_yes_for_a_session_covers_no_other() {
        HeldQuestion held = ask(question("r1", "one", new SessionId("s1")));
        desk().answer(TENANT, held.id(), new Say(YesOrNo.YES, "carol", null, Scope.SESSION, null));

        assertThat(approvals().ask(question("r2", "two", new SessionId("s1")), LONG))
                .isInstanceOf(Reply.Settled.class);
        assertThat(approvals().ask(question("r3", "two", new SessionId("s2")), LONG))
                .isInstanceOf(Reply.Asked.class);
        assertThat(approvals().ask(question("r4", "two"), LONG)).isInstanceOf(Reply.Asked.class);
    }

    @Test
    void a_yes_for_a_session_needs_one() {
        HeldQuestion held = ask(question("r1", "one"));

        assertThatThrownBy(() ->
                        desk().answer(TENANT, held.id(), new Say(YesOrNo.YES, "carol", null, Scope.SESSION, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("session");
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void a_no_never_stands_and_a_yes_ends_with_its_time() {
        HeldQuestion refused = ask(question("r1", "one"));
        desk().answer(TENANT, refused.id(), new Say(YesOrNo.NO, "carol", null, Scope.AGENT, null));
        HeldQuestion over = ask(question("r2", "one"));
        desk().answer(
                        TENANT,
                        over.id(),
                        new Say(
                                YesOrNo.YES,
                                "carol",
                                null,
                                Scope.AGENT,
                                Instant.now().minusSeconds(1)));

        assertThat(approvals().ask(question("r3", "one"), LONG)).isInstanceOf(Reply.Asked.class);
    }

    @Test
    void lists_are_filtered_and_paged_newest_first() {
        List<UUID> asked = IntStream.range(0, 5)
                .mapToObj(i -> ask(question("r" + i, "x")).id())
                .toList();
        desk().answer(TENANT, asked.get(2), Say.once(YesOrNo.YES, "carol", null));

        assertThat(ids(ApprovalDesk.Filter.ALL, null)).isEqualTo(asked.reversed());
        assertThat(ids(new ApprovalDesk.Filter(State.APPROVED, null, null), null))
                .containsExactly(asked.get(2));
        assertThat(ids(new ApprovalDesk.Filter(State.PENDING, AGENT, "write"), asked.get(3)))
                .containsExactly(asked.get(1), asked.get(0));
        assertThat(ids(new ApprovalDesk.Filter(null, new AgentId("nobody"), null), null))
                .isEmpty();
        assertThat(ids(new ApprovalDesk.Filter(null, null, "read"), null)).isEmpty();
    }

    @Test
    void once_its_end_is_on_record_nothing_is_left_of_it_to_take() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Say.once(YesOrNo.YES, "carol", null));
        assertThat(held.claim()).isTrue();
        held.ended();

        assertThat(held.claim()).isFalse();
        assertThat(find(held.id()).state()).isEqualTo(State.APPROVED);
    }

    protected HeldQuestion ask(Approvals.Question question) {
        return ask(question, LONG);
    }

    protected HeldQuestion ask(Approvals.Question question, Duration lifetime) {
        return ((Reply.Asked) approvals().ask(question, lifetime)).question();
    }

    protected static Approvals.Question question(String requestId, String text) {
        return question(requestId, text, null);
    }

    private static Approvals.Question question(String requestId, String text, @Nullable SessionId session) {
        Caller caller = new Caller(TENANT, AGENT, session, new WorkspaceId("default"), "key:00000000");
        Call call = Call.of(caller, "write", Json.MAPPER.createObjectNode().put("text", text))
                .as(new RequestId(requestId));
        String digest =
                HexFormat.of().withUpperCase().toHexDigits(text.hashCode()).repeat(8);
        return new Approvals.Question(
                call,
                new RequestKey(TENANT, call.requestId(), digest),
                "write",
                call.arguments(),
                "The grant asks for it",
                "rule-1",
                "would write " + text);
    }

    protected ApprovalRequest find(UUID id) {
        return desk().find(TENANT, id).orElseThrow();
    }

    private List<UUID> ids(ApprovalDesk.Filter filter, @Nullable UUID after) {
        return desk().list(TENANT, filter, after, 10).stream()
                .map(ApprovalRequest::id)
                .toList();
    }

    private static <T> List<T> atOnce(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(work).stream().map(Future::resultNow).toList();
        }
    }

    private static <T> Future<T> background(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.startVirtualThread(task);
        return task;
    }
}
