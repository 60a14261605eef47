package dev.toolgate.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Uses;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrantStateTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Condition SOMETIMES = new Condition() {
        @Override
        public String text() {
            return "sometimes";
        }

        @Override
        public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
            throw new AssertionError("No condition is evaluated before there is a call.");
        }
    };
    private static final Grant PLAIN = Grant.PLAIN;
    private static final Grant HELD = Grant.of(Approval.REQUIRED, null);
    private static final Grant EXPIRED = Grant.of(Approval.NOT_NEEDED, NOW);
    private static final Grant CONDITIONAL = new Grant(Approval.NOT_NEEDED, null, SOMETIMES, null);
    private static final Grant CONDITIONAL_HELD = new Grant(Approval.REQUIRED, null, SOMETIMES, null);
    private static final Grant SPENT = new Grant(Approval.REQUIRED, null, null, new Uses("spent", 1));
    private static final Grant COUNTED = new Grant(Approval.NOT_NEEDED, null, null, new Uses("left", 2));

    private static GrantState of(Grant... grants) {
        return GrantState.of(List.of(grants), NOW, uses -> uses.grant().equals("left") ? 1 : 0);
    }

    @Test
    void one_grant_gives_its_own_state() {
        assertThat(of()).isEqualTo(GrantState.NOT_GRANTED);
        assertThat(of(PLAIN)).isEqualTo(GrantState.ALLOWED);
        assertThat(of(COUNTED)).isEqualTo(GrantState.ALLOWED);
        assertThat(of(HELD)).isEqualTo(GrantState.NEEDS_APPROVAL);
        assertThat(of(EXPIRED)).isEqualTo(GrantState.EXPIRED);
        assertThat(of(SPENT)).isEqualTo(GrantState.USED_UP);
        assertThat(of(CONDITIONAL)).isEqualTo(GrantState.CONDITIONAL);
        assertThat(of(CONDITIONAL_HELD)).isEqualTo(GrantState.CONDITIONAL_WITH_APPROVAL);
    }

    @Test
    void of_several_grants_those_that_have_ended_do_not_count() {
        assertThat(of(PLAIN, EXPIRED, SPENT)).isEqualTo(GrantState.ALLOWED);
        assertThat(of(SPENT, EXPIRED)).isEqualTo(GrantState.USED_UP);
        assertThat(of(EXPIRED, CONDITIONAL)).isEqualTo(GrantState.CONDITIONAL);
    }

    @Test
    void of_several_grants_one_that_requires_approval_prevails() {
        assertThat(of(PLAIN, HELD)).isEqualTo(GrantState.NEEDS_APPROVAL);
        assertThat(of(CONDITIONAL, HELD)).isEqualTo(GrantState.NEEDS_APPROVAL);
        assertThat(of(PLAIN, CONDITIONAL_HELD)).isEqualTo(GrantState.APPROVAL_ON_CONDITION);
        assertThat(of(CONDITIONAL, CONDITIONAL_HELD)).isEqualTo(GrantState.CONDITIONAL_WITH_APPROVAL);
        assertThat(of(PLAIN, CONDITIONAL)).isEqualTo(GrantState.ALLOWED);
    }

    @Test
    void only_states_in_which_calls_are_possible_are_live() {
        assertThat(List.of(GrantState.NOT_GRANTED, GrantState.EXPIRED, GrantState.USED_UP))
                .noneMatch(GrantState::isLive);
        assertThat(List.of(GrantState.CONDITIONAL, GrantState.NEEDS_APPROVAL, GrantState.ALLOWED))
                .allMatch(GrantState::isLive);
    }
}
