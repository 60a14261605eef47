package dev.toolgate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.ApprovalDesk.Ruling;
import dev.toolgate.core.port.ApprovalDesk.Say;
import dev.toolgate.core.port.ApprovalDesk.Scope;
import dev.toolgate.core.port.ApprovalDesk.State;
import dev.toolgate.core.port.ApprovalDesk.YesOrNo;
import dev.toolgate.core.port.Approvals.Reply;
import dev.toolgate.core.port.Approvals.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every keeper of questions must do. */
public abstract class ApprovalsContract extends AnswersContract {

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
}
