package dev.toolgate.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalLimitTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong clockReads = new AtomicLong();
    private final RefusalLimit limit = RefusalLimit.of(Limit.of(60, Duration.ofMinutes(1)), () -> {
        clockReads.incrementAndGet();
        return nanos.get();
    });

    private static Caller caller(String agent, String principal) {
        return new Caller(new TenantId("acme"), new AgentId(agent), null, new WorkspaceId("default"), principal);
    }

    private void refuse(Caller caller, int times) {
        for (int call = 0; call < times; call++) {
            limit.count(caller);
        }
    }

    @Test
    void an_agent_is_blocked_at_its_limit_and_admitted_again_over_time() {
        Caller agent = caller("a", "key:1");
        refuse(agent, 59);
        assertThat(limit.rejection(agent)).isEmpty();
        refuse(agent, 1);

        assertThat(limit.rejection(agent)).hasValueSatisfying(first -> {
            assertThat(first.retryAfter()).isEqualTo(Duration.ofSeconds(1));
            assertThat(first.rejectedBefore()).isZero();
        });
        assertThat(limit.rejection(agent))
                .hasValueSatisfying(next -> assertThat(next.rejectedBefore()).isOne());
        nanos.addAndGet(Duration.ofMillis(1100).toNanos());
        assertThat(limit.rejection(agent)).isEmpty();
    }

    @Test
    void other_keys_cannot_use_up_the_limit_of_an_agent() {
        refuse(caller("victim", "key:attacker"), 1000);

        assertThat(limit.rejection(caller("victim", "key:attacker"))).isPresent();
        assertThat(limit.rejection(caller("victim", "key:own"))).isEmpty();
    }

    @Test
    void a_key_that_names_many_agents_is_blocked_too() {
        for (int agent = 0; agent < 600; agent++) {
            refuse(caller("agent-" + agent, "key:1"), 1);
        }

        assertThat(limit.rejection(caller("yet-another", "key:1"))).isPresent();
        assertThat(limit.rejection(caller("yet-another", "key:2"))).isEmpty();
    }

    @Test
    void any_number_of_agents_and_keys_uses_bounded_memory() {
        for (int agent = 0; agent < 60_000; agent++) {
            refuse(caller("agent-" + agent, "key:" + agent), 1);
        }

        assertThat(limit.size()).isLessThanOrEqualTo(40_000);
        assertThat(limit.rejection(caller("agent-1", "key:1"))).isEmpty();
    }

    @Test
    void a_key_keeps_its_own_limit_when_there_are_too_many_agents() {
        for (int agent = 0; agent < 20_000; agent++) {
            refuse(caller("agent-" + agent, "key:" + agent), 1);
        }
        Caller late = caller("late", "key:late");
        refuse(late, 599);

        assertThat(limit.rejection(late)).isEmpty();
        refuse(late, 1);
        assertThat(limit.rejection(late)).isPresent();
    }

    @Test
    void a_flood_of_new_names_does_not_scan_all_buckets_each_time() {
        for (int agent = 0; agent < 30_000; agent++) {
            refuse(caller("agent-" + agent, "key:" + agent), 1);
        }

        // Every access to a bucket reads the clock.
        assertThat(clockReads.get()).isLessThan(300_000);
    }

    @Test
    void buckets_that_are_full_again_make_room_for_others() {
        for (int agent = 0; agent < 30_000; agent++) {
            refuse(caller("agent-" + agent, "key:" + agent), 1);
        }
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        refuse(caller("late", "key:late"), 1);

        assertThat(limit.size()).isEqualTo(2);
    }
}
