package dev.toolgate.store.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PendingCallersTest {
    private static final CallOwner ALICE = new CallOwner(new TenantId("default"), new AgentId("alice"), "key:1");

    private final AtomicLong now = new AtomicLong();
    private final PendingCallers callers = new PendingCallers(this::query, now::get);
    private Runnable duringQuery = () -> {};
    private boolean hasPending;
    private int queries;

    private boolean query(CallOwner owner) {
        queries++;
        boolean found = hasPending;
        duringQuery.run();
        return found;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_caller_is_queried_once_a_second() {
        for (int i = 0; i < 10; i++) {
            assertThat(callers.mayHavePending(ALICE)).isFalse();
            pass(Duration.ofMillis(99));
        }
        assertThat(queries).isOne();

        hasPending = true; // stored by another instance
        pass(Duration.ofMillis(10));

        assertThat(callers.mayHavePending(ALICE)).isTrue();
        assertThat(queries).isEqualTo(2);
    }

    @Test
    void a_call_that_was_stored_here_counts_at_once() {
        assertThat(callers.mayHavePending(ALICE)).isFalse();

        callers.stored(ALICE);

        assertThat(callers.mayHavePending(ALICE)).isTrue();
        assertThat(queries).isOne();
    }

    @Test
    void a_call_that_is_stored_during_a_query_is_not_hidden_by_its_result() {
        duringQuery = () -> {
            pass(Duration.ofMillis(1));
            callers.stored(ALICE);
        };
        callers.mayHavePending(ALICE);

        assertThat(callers.mayHavePending(ALICE)).isTrue();
        assertThat(queries).isOne();
    }

    @Test
    void a_query_that_fails_is_no_answer() {
        duringQuery = () -> {
            throw new Unavailable("The database cannot be reached now.", null);
        };

        assertThatThrownBy(() -> callers.mayHavePending(ALICE)).isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> callers.mayHavePending(ALICE)).isInstanceOf(Unavailable.class);
    }
}
