package dev.toolgate.core.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.approval.ApprovalDesk.Choice;
import dev.toolgate.core.approval.ApprovalDesk.State;
import dev.toolgate.core.approval.ApprovalDesk.Vote;
import dev.toolgate.core.approval.ApprovalDesk.VoteResult;
import dev.toolgate.core.approval.Approvals.Reply;
import dev.toolgate.core.approval.Approvals.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract of approval requests: votes, expiry and claims. */
public abstract class AnswersContract extends QuestionsFixture {

    @Test
    void an_answer_wakes_the_waiting_caller() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));
        Future<Approvals.Answer> waiting = background(() -> held.await(TIMEOUT).orElseThrow());

        assertThat(desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", "fine")))
                .isInstanceOf(VoteResult.Decided.class);

        assertThat(waiting.get()).satisfies(answer -> {
            assertThat(answer.verdict()).isEqualTo(Verdict.APPROVED);
            assertThat(answer.by()).isEqualTo("carol");
            assertThat(answer.reason()).isEqualTo("fine");
            assertThat(answer.at()).isNotNull();
        });
    }

    @Test
    void an_earlier_answer_is_returned_to_a_later_wait() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.DENY, "carol", null));

        assertThat(held.await(TIMEOUT))
                .hasValueSatisfying(answer -> assertThat(answer.verdict()).isEqualTo(Verdict.DENIED));
    }

    @Test
    void a_timed_out_wait_leaves_the_request_pending() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));

        assertThat(held.await(Duration.ofMillis(50))).isEmpty();
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void an_equal_call_joins_the_pending_request() {
        HeldQuestion first = ask(question("r1", "one"));
        HeldQuestion second = ask(question("r1", "one"));

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(desk().list(TENANT, ApprovalDesk.Filter.ALL, null, 10)).hasSize(1);
    }

    @Test
    void joining_extends_the_lifetime_and_never_shortens_it() {
        Instant first = ask(question("r1", "one"), Duration.ofMinutes(1)).expiresAt();
        Instant longer = ask(question("r1", "one"), LONG).expiresAt();
        Instant shorter = ask(question("r1", "one"), Duration.ofSeconds(1)).expiresAt();

        assertThat(longer).isAfter(first);
        assertThat(shorter).isEqualTo(longer);
    }

    @Test
    void a_different_call_under_the_same_request_id_is_reported() {
        ask(question("r1", "one"));

        assertThat(approvals().ask(question("r1", "two"), LONG)).isInstanceOf(Reply.OtherCall.class);
    }

    @Test
    void an_approval_is_claimed_once() throws Exception {
        HeldQuestion first = ask(question("r1", "one"));
        HeldQuestion second = ask(question("r1", "one"));
        assertThat(first.claim()).as("before approval").isFalse();
        desk().answer(TENANT, first.id(), Vote.once(Choice.APPROVE, "carol", null));

        List<Boolean> claims = atOnce(List.of(first::claim, second::claim, first::claim, second::claim));

        assertThat(claims).containsOnlyOnce(true);
    }

    @Test
    void a_denial_cannot_be_claimed() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.DENY, "carol", null));

        assertThat(held.claim()).isFalse();
    }

    @Test
    void of_concurrent_votes_exactly_one_decides() throws Exception {
        for (int round = 0; round < 20; round++) {
            HeldQuestion held = ask(question("r" + round, "one"));
            List<VoteResult> results = atOnce(IntStream.range(0, 8)
                    .<Callable<VoteResult>>mapToObj(i -> () -> desk().answer(
                                    TENANT,
                                    held.id(),
                                    Vote.once(i % 2 == 0 ? Choice.APPROVE : Choice.DENY, "p" + i, null)))
                    .toList());

            List<VoteResult.Decided> winners = results.stream()
                    .filter(VoteResult.Decided.class::isInstance)
                    .map(VoteResult.Decided.class::cast)
                    .toList();
            assertThat(winners).hasSize(1);
            Approvals.Answer won = winners.getFirst().request().answer();
            assertThat(results)
                    .filteredOn(VoteResult.TooLate.class::isInstance)
                    .hasSize(7)
                    .allSatisfy(late -> assertThat(
                                    ((VoteResult.TooLate) late).request().answer())
                            .isEqualTo(won));
        }
    }

    @Test
    void no_vote_counts_after_expiry() throws Exception {
        HeldQuestion held = ask(question("r1", "one"), Duration.ofMillis(200));

        assertThat(held.await(TIMEOUT))
                .hasValueSatisfying(answer -> assertThat(answer.verdict()).isEqualTo(Verdict.TIMED_OUT));
        assertThat(desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null)))
                .isInstanceOfSatisfying(
                        VoteResult.TooLate.class,
                        late -> assertThat(late.request().state()).isEqualTo(State.TIMED_OUT));
        assertThat(held.claim()).isFalse();
    }

    @Test
    void a_withdrawn_call_cannot_be_approved() {
        HeldQuestion held = ask(question("r1", "one"));
        held.withdraw();

        assertThat(desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null)))
                .isInstanceOfSatisfying(
                        VoteResult.TooLate.class,
                        late -> assertThat(late.request().state()).isEqualTo(State.WITHDRAWN));
        assertThat(held.claim()).isFalse();
    }

    @Test
    void a_call_withdrawn_after_its_approval_does_not_run() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));
        held.withdraw();

        assertThat(held.claim()).isFalse();
    }

    @Test
    void a_held_call_is_found_as_it_was_sent() {
        String text = "0123456789abcdef".repeat(65_536);
        Approvals.Question question = question("r1", text);

        assertThat(desk().heldCall(TENANT, ask(question).id()).orElseThrow().arguments())
                .isEqualTo(question.call().arguments());
    }

    @Test
    void an_ended_call_cannot_be_claimed_again() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));
        assertThat(held.claim()).isTrue();
        held.ended();

        assertThat(held.claim()).isFalse();
        assertThat(find(held.id()).state()).isEqualTo(State.APPROVED);
    }
}
