package dev.toolgate.core.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.approval.ApprovalDesk.Ruling;
import dev.toolgate.core.approval.ApprovalDesk.Say;
import dev.toolgate.core.approval.ApprovalDesk.State;
import dev.toolgate.core.approval.ApprovalDesk.YesOrNo;
import dev.toolgate.core.approval.Approvals.Reply;
import dev.toolgate.core.approval.Approvals.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of a question: one answer, or none, and nothing that is taken twice. */
public abstract class AnswersContract extends QuestionsFixture {

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
    void once_its_end_is_on_record_nothing_is_left_of_it_to_take() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Say.once(YesOrNo.YES, "carol", null));
        assertThat(held.claim()).isTrue();
        held.ended();

        assertThat(held.claim()).isFalse();
        assertThat(find(held.id()).state()).isEqualTo(State.APPROVED);
    }
}
