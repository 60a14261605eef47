package dev.toolgate.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class GrantRuleTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant PAST = NOW.minusSeconds(1);
    private static final ToolSpec<Nothing> TOOL =
            ToolSpec.of("lamp", Nothing.class, Category.FILE, "Lamp.Light", "Lights a lamp.");
    private static final Call CALL = Call.of(Caller.local(), "lamp", Json.MAPPER.createObjectNode());

    private final List<Grant> found = new ArrayList<>();
    private final InMemoryGrants uses = new InMemoryGrants();
    private final GrantRule rule = new GrantRule(new Several(), Clock.fixed(NOW, ZoneOffset.UTC));

    record Nothing() {}

    @Test
    void of_two_valid_grants_the_one_requiring_approval_wins() {
        found.add(Grant.PLAIN);
        found.add(Grant.of(Approval.REQUIRED, null));

        assertThat(decide()).isInstanceOf(Decision.NeedsApproval.class);
    }

    @Test
    void a_grant_that_does_not_apply_has_no_effect_on_others() {
        found.add(Grant.of(Approval.REQUIRED, PAST));
        found.add(new Grant(Approval.REQUIRED, null, when(() -> false), null));
        found.add(Grant.PLAIN);

        assertThat(decide()).isEqualTo(Decision.allow());
    }

    @Test
    void a_condition_decides_whether_the_grant_covers_the_call() {
        found.add(new Grant(Approval.NOT_NEEDED, null, when(() -> false), null));
        assertThat(reason())
                .isEqualTo("The grant of tool 'lamp' to agent 'local' does not cover this call: its"
                        + " condition is not met");
        assertThat(rule.spend(CALL, TOOL)).isFalse();

        found.set(0, new Grant(Approval.NOT_NEEDED, null, when(() -> true), null));
        assertThat(decide()).isEqualTo(Decision.allow());
        assertThat(rule.spend(CALL, TOOL)).isTrue();
    }

    @Test
    void a_failing_condition_denies_and_says_so() {
        found.add(new Grant(
                Approval.NOT_NEEDED,
                null,
                when(() -> {
                    throw new IllegalStateException("no such key: owner");
                }),
                null));

        assertThat(reason()).endsWith("its condition could not be evaluated (no such key: owner)");
    }

    @Test
    void uses_are_consumed_by_running_and_not_by_deciding() {
        found.add(new Grant(Approval.NOT_NEEDED, null, null, new Grants.Uses("g", 2)));

        assertThat(decide()).isEqualTo(Decision.allow());
        assertThat(decide()).isEqualTo(Decision.allow());
        assertThat(rule.spend(CALL, TOOL)).isTrue();
        assertThat(rule.spend(CALL, TOOL)).isTrue();
        assertThat(rule.spend(CALL, TOOL)).isFalse();
        assertThat(reason()).endsWith("is used up after 2 uses");
    }

    @Test
    void uses_are_not_consumed_while_an_unlimited_grant_applies() {
        found.add(new Grant(Approval.NOT_NEEDED, null, null, new Grants.Uses("g", 1)));
        found.add(Grant.of(Approval.NOT_NEEDED, NOW.plusSeconds(60)));

        assertThat(rule.spend(CALL, TOOL)).isTrue();
        assertThat(rule.spend(CALL, TOOL)).isTrue();
        assertThat(uses.usesLeft(CALL.caller().tenant(), new Grants.Uses("g", 1)))
                .isEqualTo(1);
    }

    @Test
    void a_grant_revoked_while_the_call_waited_does_not_apply() {
        found.add(Grant.PLAIN);
        assertThat(decide()).isEqualTo(Decision.allow());

        found.clear();
        assertThat(rule.spend(CALL, TOOL)).isFalse();
    }

    private Decision decide() {
        return rule.decide(CALL, TOOL, null);
    }

    private String reason() {
        assertThat(decide()).isInstanceOf(Decision.Deny.class);
        Decision.Deny denied = (Decision.Deny) decide();
        assertThat(denied.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        return denied.reason();
    }

    private static Condition when(BooleanSupplier holds) {
        return new Condition() {
            @Override
            public String text() {
                return "test";
            }

            @Override
            public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
                return holds.getAsBoolean();
            }
        };
    }

    private final class Several implements Grants {
        @Override
        public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
            return List.copyOf(found);
        }

        @Override
        public List<String> toolsOf(TenantId tenant, AgentId agent) {
            return List.of("lamp");
        }

        @Override
        public int usesLeft(TenantId tenant, Uses limit) {
            return uses.usesLeft(tenant, limit);
        }

        @Override
        public boolean use(TenantId tenant, Uses limit) {
            return uses.use(tenant, limit);
        }
    }
}
