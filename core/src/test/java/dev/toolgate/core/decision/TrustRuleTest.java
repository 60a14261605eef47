package dev.toolgate.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrustRuleTest {
    private static final ToolSpec<Nothing> SAFE =
            ToolSpec.of("file_read", Nothing.class, Category.FILE, "File.Read", "Reads.");
    private static final ToolSpec<Nothing> DANGEROUS = ToolSpec.of(
                    "bash", Nothing.class, Category.EXEC, "Shell.Run", "Runs.")
            .dangerous();

    private final TrustRule rule = new TrustRule();

    record Nothing() {}

    @Test
    void ac21_guided_runs_a_safe_tool_without_asking() {
        assertThat(decide(TrustLevel.GUIDED, SAFE)).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void ac22_guided_asks_before_a_dangerous_tool() {
        assertThat(decide(TrustLevel.GUIDED, DANGEROUS))
                .isInstanceOfSatisfying(Decision.NeedsApproval.class, needed -> assertThat(needed.reason())
                        .contains("bash", "dangerous"));
    }

    @Test
    void ac23_autonomous_never_asks() {
        assertThat(decide(TrustLevel.AUTONOMOUS, SAFE)).isInstanceOf(Decision.Allow.class);
        assertThat(decide(TrustLevel.AUTONOMOUS, DANGEROUS)).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void supervised_asks_before_every_tool() {
        assertThat(decide(TrustLevel.SUPERVISED, SAFE)).isInstanceOf(Decision.NeedsApproval.class);
        assertThat(decide(TrustLevel.SUPERVISED, DANGEROUS)).isInstanceOf(Decision.NeedsApproval.class);
    }

    @Test
    void without_a_trust_level_nothing_needs_approval() {
        assertThat(decide(null, DANGEROUS)).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void the_stricter_of_two_levels_counts() {
        assertThat(TrustLevel.AUTONOMOUS.and(TrustLevel.GUIDED)).isEqualTo(TrustLevel.GUIDED);
        assertThat(TrustLevel.SUPERVISED.and(TrustLevel.AUTONOMOUS)).isEqualTo(TrustLevel.SUPERVISED);
    }

    private Decision decide(@Nullable TrustLevel trust, ToolSpec<?> tool) {
        return rule.decide(
                Call.of(Caller.local(), tool.name(), Json.MAPPER.createObjectNode())
                        .trusting(trust),
                tool,
                null);
    }
}
