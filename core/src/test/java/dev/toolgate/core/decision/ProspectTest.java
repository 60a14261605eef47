package dev.toolgate.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Uses;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The listed tools agree with the decisions: no rule hides a tool that it may allow, or lists one that it always
 * denies.
 */
class ProspectTest {
    private record Arguments(String text) {}

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final ToolSpec<Arguments> TOOL =
            ToolSpec.of("say", Arguments.class, Category.EXEC, "Say.Something", "Say something");
    private static final Call CALL = Call.of(Caller.local(), "say", Json.MAPPER.createObjectNode());

    private static final Condition NEVER = new Condition() {
        @Override
        public String text() {
            return "false";
        }

        @Override
        public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
            return false;
        }
    };

    record Case(@Nullable Grant grant, Prospect expected) {}

    static Stream<Case> grants() {
        return Stream.of(
                new Case(null, Prospect.DENIED),
                new Case(Grant.PLAIN, Prospect.ALLOWED),
                new Case(Grant.of(Approval.REQUIRED, null), Prospect.MAYBE_HELD),
                new Case(Grant.of(Approval.NOT_NEEDED, NOW), Prospect.DENIED),
                new Case(Grant.of(Approval.NOT_NEEDED, NOW.plusSeconds(1)), Prospect.ALLOWED),
                new Case(new Grant(Approval.NOT_NEEDED, null, NEVER, null), Prospect.ALLOWED),
                new Case(new Grant(Approval.NOT_NEEDED, null, null, new Uses("g", 0)), Prospect.DENIED),
                new Case(new Grant(Approval.NOT_NEEDED, null, null, new Uses("g", 1)), Prospect.ALLOWED));
    }

    @ParameterizedTest
    @MethodSource("grants")
    void a_tool_is_shown_if_a_grant_of_it_holds_for_some_arguments(Case one) {
        InMemoryGrants grants = new InMemoryGrants();
        if (one.grant() != null) {
            grants.grant(CALL.caller().tenant(), CALL.caller().agent(), "say", one.grant());
        }
        GrantRule rule = new GrantRule(grants, CLOCK);

        assertThat(rule.prospect(CALL, TOOL, null)).isEqualTo(one.expected());
        assertAgrees(rule, CALL);
    }

    @Test
    void scope_and_trust_agree_with_their_decisions() {
        for (TrustLevel trust : TrustLevel.values()) {
            assertAgrees(new TrustRule(), CALL.trusting(trust));
        }
        assertAgrees(new ScopeRule(), CALL.scopedTo(new ToolScope(Map.of())));
        assertThat(new ScopeRule().prospect(CALL.scopedTo(new ToolScope(Map.of())), TOOL, null))
                .isEqualTo(Prospect.DENIED);
        ToolScope allowing = new ToolScope(Map.of("say", new ToolPermission(true, List.of(), null)));
        assertThat(new ScopeRule().prospect(CALL.scopedTo(allowing), TOOL, null))
                .isEqualTo(Prospect.ALLOWED);
    }

    private static void assertAgrees(Rule rule, Call call) {
        Prospect prospect = rule.prospect(call, TOOL, null);
        switch (rule.decide(call, TOOL, null)) {
            case Decision.Allow _ -> assertThat(prospect).isNotEqualTo(Prospect.DENIED);
            case Decision.NeedsApproval _ -> assertThat(prospect).isEqualTo(Prospect.MAYBE_HELD);
            case Decision.Deny _ -> {} // some other call may be allowed
        }
    }
}
