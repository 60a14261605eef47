package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.SessionRecord;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SessionCacheTest {
    private static final SessionRecord SESSION =
            new SessionRecord("alice", Revision.R2025_11_25, null, ClientCapabilities.NONE, null, Set.of());

    private final AtomicLong now = new AtomicLong();
    private final SessionCache cache =
            new SessionCache(new SessionCache.Limits(3, 100, Duration.ofSeconds(1)), now::get);

    private void put(String id, int size) {
        cache.put(id, cache.removalsOf(id), SESSION, "x".repeat(size));
    }

    @Test
    void the_oldest_sessions_are_dropped_beyond_the_number() {
        for (String id : new String[] {"a", "b", "c", "a", "d"}) {
            put(id, 1);
        }

        assertThat(cache.get("b")).isNull();
        assertThat(cache.get("a")).isEqualTo(SESSION);
        assertThat(cache.get("d")).isEqualTo(SESSION);
    }

    @Test
    void the_oldest_sessions_are_dropped_beyond_the_total_size() {
        put("a", 60);
        put("a", 60);
        put("b", 40);
        assertThat(cache.get("a")).isEqualTo(SESSION);

        put("c", 50);

        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("b")).isEqualTo(SESSION);
        assertThat(cache.get("c")).isEqualTo(SESSION);
        put("d", 101);
        assertThat(cache.get("d")).isNull();
    }

    @Test
    void a_session_is_forgotten_after_the_maximum_age() {
        put("a", 1);
        now.addAndGet(Duration.ofMillis(500).toNanos());
        put("b", 1);
        assertThat(cache.get("a")).isEqualTo(SESSION);

        now.addAndGet(Duration.ofMillis(500).toNanos());

        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("b")).isEqualTo(SESSION);
        cache.remove("b");
        assertThat(cache.get("b")).isNull();
    }

    @Test
    void a_session_that_is_changed_or_ended_while_it_is_read_is_not_kept() {
        long before = cache.removalsOf("a");
        cache.remove("a");

        cache.put("a", before, SESSION, "x");

        assertThat(cache.get("a")).isNull();
        put("a", 1);
        assertThat(cache.get("a")).isEqualTo(SESSION);
    }
}
