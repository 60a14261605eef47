package dev.toolgate.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.limit.RefusedCalls;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalLimitTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RefusedCalls limit = RefusalLimit.of(Limit.of(60, Duration.ofMinutes(1)), nanos::get);

    private static Caller caller(String agent, String principal) {
        return new Caller(new TenantId("acme"), new AgentId(agent), null, new WorkspaceId("default"), principal);
    }

    private void refuse(Caller caller, int times) {
        for (int call = 0; call < times; call++) {
            limit.count(caller);
        }
    }

    @Test
    void an_agent_is_turned_away_after_its_share_and_let_in_as_time_goes_by() {
        Caller agent = caller("a", "key:1");
        refuse(agent, 59);
        assertThat(limit.turnedAway(agent)).isEmpty();
        refuse(agent, 1);

        assertThat(limit.turnedAway(agent)).hasValueSatisfying(first -> {
            assertThat(first.retryAfter()).isEqualTo(Duration.ofSeconds(1));
            assertThat(first.before()).isZero();
        });
        assertThat(limit.turnedAway(agent))
                .hasValueSatisfying(next -> assertThat(next.before()).isOne());
        nanos.addAndGet(Duration.ofMillis(1100).toNanos());
        assertThat(limit.turnedAway(agent)).isEmpty();
    }

    @Test
    void nobody_uses_up_the_share_of_an_agent_by_naming_it() {
        refuse(caller("victim", "key:attacker"), 1000);

        assertThat(limit.turnedAway(caller("victim", "key:attacker"))).isPresent();
        assertThat(limit.turnedAway(caller("victim", "key:own"))).isEmpty();
    }

    @Test
    void a_key_that_names_one_agent_after_the_other_is_turned_away_too() {
        for (int agent = 0; agent < 600; agent++) {
            refuse(caller("agent-" + agent, "key:1"), 1);
        }

        assertThat(limit.turnedAway(caller("yet-another", "key:1"))).isPresent();
        assertThat(limit.turnedAway(caller("yet-another", "key:2"))).isEmpty();
    }

    @Test
    void any_number_of_agents_and_keys_takes_a_bounded_place() {
        for (int agent = 0; agent < 30_000; agent++) {
            refuse(caller("agent-" + agent, "key:" + agent), 1);
        }

        assertThat(limit.turnedAway(caller("agent-29999", "key:29999"))).isEmpty();
    }
}
