package dev.toolgate.core.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.approval.ApprovalDesk.Choice;
import dev.toolgate.core.approval.ApprovalDesk.Scope;
import dev.toolgate.core.approval.ApprovalDesk.State;
import dev.toolgate.core.approval.ApprovalDesk.Vote;
import dev.toolgate.core.approval.ApprovalDesk.VoteResult;
import dev.toolgate.core.approval.Approvals.Reply;
import dev.toolgate.core.approval.Approvals.Verdict;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Decision;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract of approval stores. */
public abstract class ApprovalsContract extends AnswersContract {

    @Test
    void other_tenants_can_neither_see_nor_vote() {
        HeldQuestion held = ask(question("r1", "one"));
        TenantId other = new TenantId("other");

        assertThat(desk().find(other, held.id())).isEmpty();
        assertThat(desk().heldCall(other, held.id())).isEmpty();
        assertThat(desk().list(other, ApprovalDesk.Filter.ALL, null, 10)).isEmpty();
        assertThat(desk().answer(other, held.id(), Vote.once(Choice.APPROVE, "mallory", null)))
                .isInstanceOf(VoteResult.Unknown.class);
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void an_approval_for_the_agent_holds_until_revoked() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", "trusted", Scope.AGENT, null));

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
    void a_standing_approval_covers_only_its_causes() {
        Decision.Cause grant = new Decision.Cause("The grant asks", null);
        Decision.Cause rule = new Decision.Cause("Loud words", "rule-1");
        HeldQuestion held = ask(questionFor("r1", grant));
        desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", null, Scope.AGENT, null));
        assertThat(desk().standing(TENANT, null, 10).getFirst().causes()).containsExactly(grant);

        assertThat(approvals().ask(questionFor("r2", grant), LONG)).isInstanceOf(Reply.Settled.class);
        assertThat(approvals().ask(questionFor("r3", rule), LONG)).isInstanceOf(Reply.Asked.class);
        assertThat(approvals().ask(questionFor("r4", grant, rule), LONG)).isInstanceOf(Reply.Asked.class);
        assertThat(approvals().ask(questionFor("r5", new Decision.Cause("The grant asks", "rule-1")), LONG))
                .isInstanceOf(Reply.Asked.class);

        HeldQuestion both = ask(questionFor("r6", grant, rule));
        assertThat(find(both.id()).causes()).containsExactly(grant, rule);
        desk().answer(TENANT, both.id(), new Vote(Choice.APPROVE, "carol", null, Scope.AGENT, null));
        assertThat(approvals().ask(questionFor("r7", rule, grant), LONG)).isInstanceOf(Reply.Settled.class);
        assertThat(approvals().ask(questionFor("r8", rule), LONG)).isInstanceOf(Reply.Settled.class);
    }

    private static Approvals.Question questionFor(String request, Decision.Cause... causes) {
        return with(question(request, "one"), List.of(causes), ApprovalTerms.ONE_YES);
    }

    private static Approvals.Question questionFor(String request, ApprovalTerms terms) {
        Approvals.Question question = question(request, "one");
        return with(question, question.causes(), terms);
    }

    private static Approvals.Question with(
            Approvals.Question question, List<Decision.Cause> causes, ApprovalTerms terms) {
        return new Approvals.Question(
                question.call(),
                question.key(),
                question.tool(),
                question.arguments(),
                question.maskedCharacters(),
                question.reason(),
                question.approvalRuleId(),
                question.preview(),
                causes,
                terms);
    }

    @Test
    void under_four_eyes_the_caller_cannot_approve() {
        ApprovalTerms fourEyes = new ApprovalTerms(ApprovalTerms.Approver.NOT_THE_CALLER, 1);
        HeldQuestion held = ask(questionFor("r1", fourEyes));
        String caller = find(held.id()).caller().principal();

        assertThat(desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, caller, null)))
                .isInstanceOf(VoteResult.OwnCall.class);
        assertThat(held.claim()).isFalse();
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
        assertThat(desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", null, Scope.AGENT, null)))
                .isInstanceOf(VoteResult.Decided.class);
        assertThat(held.claim()).isTrue();

        assertThat(approvals().ask(questionFor("r2", fourEyes), LONG)).isInstanceOf(Reply.Settled.class);
        HeldQuestion usual = ask(questionFor("r3", new ApprovalTerms(ApprovalTerms.Approver.NOT_THE_CALLER, 2)));
        assertThat(desk().answer(TENANT, usual.id(), Vote.once(Choice.DENY, caller, null)))
                .as("callers may deny their own call")
                .isInstanceOf(VoteResult.Decided.class);
    }

    @Test
    void under_four_eyes_a_standing_approval_by_the_caller_does_not_count() {
        HeldQuestion held = ask(questionFor("r1", ApprovalTerms.ONE_YES));
        String caller = find(held.id()).caller().principal();
        desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, caller, null, Scope.AGENT, null));

        assertThat(approvals().ask(questionFor("r2", ApprovalTerms.ONE_YES), LONG))
                .isInstanceOf(Reply.Settled.class);
        assertThat(approvals()
                        .ask(questionFor("r3", new ApprovalTerms(ApprovalTerms.Approver.NOT_THE_CALLER, 1)), LONG))
                .isInstanceOf(Reply.Asked.class);
    }

    @Test
    void two_different_people_approve_where_two_are_needed() {
        ApprovalTerms two = new ApprovalTerms(ApprovalTerms.Approver.ANYBODY, 2);
        HeldQuestion held = ask(questionFor("r1", two));

        assertThat(desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", "a", Scope.AGENT, null)))
                .isInstanceOfSatisfying(VoteResult.MoreVotesNeeded.class, noted -> {
                    assertThat(noted.request().state()).isEqualTo(State.PENDING);
                    assertThat(noted.request().yeses()).hasSize(1);
                });
        assertThat(desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null)))
                .isInstanceOf(VoteResult.AlreadyVoted.class);
        assertThat(held.claim()).isFalse();
        assertThat(desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "dave", "b", Scope.AGENT, null)))
                .isInstanceOf(VoteResult.Decided.class);
        assertThat(find(held.id()).answer())
                .isNotNull()
                .extracting(Approvals.Answer::by)
                .isEqualTo("carol, dave");
        assertThat(held.claim()).isTrue();
        assertThat(desk().standing(TENANT, null, 10).getFirst().granters()).containsExactly("carol", "dave");
        assertThat(approvals().ask(questionFor("r2", two), LONG)).isInstanceOf(Reply.Settled.class);

        HeldQuestion once = ask(questionFor("r3", new ApprovalTerms(ApprovalTerms.Approver.ANYBODY, 3)));
        desk().answer(TENANT, once.id(), Vote.once(Choice.APPROVE, "carol", null));
        assertThat(desk().answer(TENANT, once.id(), Vote.once(Choice.DENY, "dave", null)))
                .isInstanceOf(VoteResult.Decided.class);
        assertThat(find(once.id()).state()).isEqualTo(State.DENIED);
    }

    @Test
    void of_concurrent_votes_two_different_people_are_counted() throws Exception {
        for (int round = 0; round < 10; round++) {
            HeldQuestion held = ask(questionFor("r" + round, new ApprovalTerms(ApprovalTerms.Approver.ANYBODY, 2)));
            List<VoteResult> results = atOnce(IntStream.range(0, 8)
                    .<Callable<VoteResult>>mapToObj(
                            i -> () -> desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "p" + i % 4, null)))
                    .toList());

            assertThat(results).filteredOn(VoteResult.Decided.class::isInstance).hasSize(1);
            assertThat(results)
                    .filteredOn(VoteResult.MoreVotesNeeded.class::isInstance)
                    .hasSize(1);
            assertThat(find(held.id()).yeses()).hasSize(2).doesNotHaveDuplicates();
            assertThat(find(held.id()).state()).isEqualTo(State.APPROVED);
        }
    }

    @Test
    void equal_request_ids_of_two_agents_are_separate_requests() {
        Approvals.Question ofAgent = question("r1", "one");
        HeldQuestion held = ask(ofAgent);
        AgentId bob = new AgentId("bob");
        Call call = ofAgent.call()
                .by(Caller.ofAgent(TENANT, bob, null, ofAgent.call().caller().workspace()));
        HeldQuestion other = ask(Approvals.Question.forOneReason(
                call,
                new RequestKey(TENANT, bob, call.requestId(), "b".repeat(64)),
                "write",
                call.arguments(),
                "The grant asks for it",
                null,
                null));

        assertThat(other.id()).isNotEqualTo(held.id());
        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));
        assertThat(other.claim()).isFalse();
        assertThat(find(other.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void an_approval_for_a_session_covers_no_other_session() {
        HeldQuestion held = ask(question("r1", "one", new SessionId("s1")));
        desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", null, Scope.SESSION, null));

        assertThat(approvals().ask(question("r2", "two", new SessionId("s1")), LONG))
                .isInstanceOf(Reply.Settled.class);
        assertThat(approvals().ask(question("r3", "two", new SessionId("s2")), LONG))
                .isInstanceOf(Reply.Asked.class);
        assertThat(approvals().ask(question("r4", "two"), LONG)).isInstanceOf(Reply.Asked.class);
    }

    @Test
    void an_approved_call_is_found_by_its_key_until_it_is_claimed() {
        Approvals.Question asked = question("r1", "one");
        HeldQuestion held = ask(asked);
        assertThat(approvals().approved(asked.key())).isEmpty();

        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", "fine"));

        assertThat(approvals().approved(asked.key())).hasValueSatisfying(approved -> {
            assertThat(approved.question().id()).isEqualTo(held.id());
            assertThat(approved.answer().by()).isEqualTo("carol");
            assertThat(approved.answer().reason()).isEqualTo("fine");
        });
        assertThat(approvals().approved(question("r1", "other arguments").key()))
                .isEmpty();
        assertThat(approvals().approved(question("r2", "one").key())).isEmpty();
        assertThat(held.claim()).isTrue();
        assertThat(approvals().approved(asked.key())).isEmpty();
    }

    @Test
    void an_approval_for_a_session_requires_a_session() {
        HeldQuestion held = ask(question("r1", "one"));

        assertThatThrownBy(() ->
                        desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", null, Scope.SESSION, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("session");
        assertThat(find(held.id()).state()).isEqualTo(State.PENDING);
    }

    @Test
    void a_denial_never_stands_and_a_standing_approval_expires() {
        HeldQuestion refused = ask(question("r1", "one"));
        desk().answer(TENANT, refused.id(), new Vote(Choice.DENY, "carol", null, Scope.AGENT, null));
        HeldQuestion over = ask(question("r2", "one"));
        desk().answer(
                        TENANT,
                        over.id(),
                        new Vote(
                                Choice.APPROVE,
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
        desk().answer(TENANT, asked.get(2), Vote.once(Choice.APPROVE, "carol", null));

        assertThat(ids(ApprovalDesk.Filter.ALL, null)).isEqualTo(asked.reversed());
        assertThat(ids(ApprovalDesk.Filter.by(State.APPROVED, null, null), null))
                .containsExactly(asked.get(2));
        assertThat(ids(ApprovalDesk.Filter.by(State.PENDING, AGENT, "write"), asked.get(3)))
                .containsExactly(asked.get(1), asked.get(0));
        assertThat(ids(ApprovalDesk.Filter.by(null, new AgentId("nobody"), null), null))
                .isEmpty();
        assertThat(ids(ApprovalDesk.Filter.by(null, null, "read"), null)).isEmpty();
    }
}
