package dev.toolgate.server.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Which connections are ended, and when. */
class OpenConnectionsTest {
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final Map<String, UUID> accounts = new HashMap<>();
    private volatile long now;
    private final OpenConnections<String> connections = new OpenConnections<>(2, IDLE, () -> now, ended::add);

    private Object call(String subject) throws McpFailure {
        Object call = new Object();
        assertThat(connections.take(call, subject, account(subject), () -> "of " + subject))
                .isEqualTo("of " + subject);
        return call;
    }

    private UUID account(String subject) {
        return accounts.computeIfAbsent(subject, _ -> UUID.randomUUID());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // changed by the test's thread only
    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void a_connection_with_a_call_in_progress_is_not_ended() throws Exception {
        Object slow = call("ann");
        pass(IDLE.multipliedBy(3));
        connections.release(call("bob"));
        connections.release(call("cat"));
        connections.release(call("dan"));

        assertThat(ended).containsExactly("of bob", "of cat");
        connections.release(slow);
        assertThat(ended).containsExactly("of bob", "of cat");
    }

    @Test
    void idle_time_counts_from_the_end_of_the_last_call() throws Exception {
        Object first = call("ann");
        Object second = call("ann");
        connections.release(first);
        pass(IDLE.multipliedBy(2));
        connections.release(second);
        pass(IDLE.minusSeconds(1));
        connections.release(call("bob"));
        assertThat(ended).isEmpty();

        pass(Duration.ofSeconds(1));
        connections.release(call("bob"));
        assertThat(ended).containsExactly("of ann");
    }

    @Test
    void an_idle_connection_is_ended_without_another_call() throws Exception {
        OpenConnections<String> briefly = new OpenConnections<>(2, Duration.ofMillis(20), System::nanoTime, ended::add);
        for (String subject : List.of("ann", "bob")) {
            assertThat(briefly.get(subject, account(subject), () -> "of " + subject))
                    .isEqualTo("of " + subject);
            await().untilAsserted(() -> assertThat(ended).contains("of " + subject));
        }
        assertThat(ended).containsExactly("of ann", "of bob");
    }

    @Test
    void connections_in_use_beyond_the_maximum_are_ended_after_their_calls() throws Exception {
        Object ann = call("ann");
        Object bob = call("bob");
        Object cat = call("cat");
        assertThat(ended).isEmpty();

        connections.release(bob);
        assertThat(ended).containsExactly("of bob");
        connections.release(ann);
        connections.release(cat);
        assertThat(ended).containsExactly("of bob");
    }

    @Test
    void a_connection_that_was_just_requested_is_not_ended() throws Exception {
        Object ann = call("ann");
        Object bob = call("bob");

        assertThat(connections.get("cat", account("cat"), () -> "of cat")).isEqualTo("of cat");

        assertThat(ended).isEmpty();
        connections.release(ann);
        connections.release(bob);
        assertThat(ended).containsExactly("of cat");
    }

    @Test
    void a_subject_that_connected_another_account_gets_a_new_connection() throws Exception {
        Object old = call("ann");
        accounts.clear();
        connections.release(call("ann"));
        assertThat(ended).containsExactly("of ann");

        connections.release(old);
        pass(IDLE);
        connections.release(call("bob"));
        assertThat(ended).containsExactly("of ann", "of ann");
    }

    @Test
    void a_connection_is_ended_at_once_when_its_account_is_disconnected() throws Exception {
        Object call = call("ann");
        connections.forget("ann");
        assertThat(ended).containsExactly("of ann");
        connections.release(call);
        assertThat(connections.close()).isEmpty();
        assertThat(ended).hasSize(1);
    }

    @Test
    void none_is_opened_after_the_end_or_when_opening_fails() throws Exception {
        assertThatThrownBy(() -> connections.take(new Object(), "ann", account("ann"), () -> {
                    throw new McpFailure(McpFailureKind.UNREACHABLE, "down");
                }))
                .hasMessage("down");
        assertThat(connections.get("bob", account("bob"), () -> "of bob")).isEqualTo("of bob");
        assertThat(connections.close()).containsExactly("of bob");
        assertThatThrownBy(() -> call("bob")).hasMessageContaining("removed");
    }
}
