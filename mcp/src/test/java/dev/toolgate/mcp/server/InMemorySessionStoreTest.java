package dev.toolgate.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InMemorySessionStoreTest {
    private static final SessionRecord RECORD =
            new SessionRecord("alice", Revision.R2025_11_25, null, ClientCapabilities.NONE, null, Set.of());

    private Instant now = Instant.EPOCH;

    private InMemorySessionStore store(int max) {
        return new InMemorySessionStore(max, Duration.ofMinutes(1), () -> now);
    }

    @Test
    void keeps_changes_and_deletes() {
        InMemorySessionStore store = store(10);
        String id = store.create(RECORD);

        store.update(id, record -> record.withLogLevel(LogLevel.DEBUG));
        assertThat(store.find(id)).isEqualTo(RECORD.withLogLevel(LogLevel.DEBUG));

        store.delete(id);
        assertThat(store.find(id)).isNull();
    }

    @Test
    void ids_are_visible_ascii_and_unique() {
        InMemorySessionStore store = store(1_000);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            ids.add(store.create(RECORD));
        }

        assertThat(ids).hasSize(1_000).allMatch(id -> id.matches("[!-~]{32,}"));
    }

    @Test
    void the_least_recently_used_session_is_evicted_first() {
        InMemorySessionStore store = store(2);
        String first = store.create(RECORD);
        String second = store.create(RECORD);
        store.find(first);
        String third = store.create(RECORD);

        assertThat(store.find(first)).isNotNull();
        assertThat(store.find(second)).isNull();
        assertThat(store.find(third)).isNotNull();
    }

    @Test
    void an_idle_session_expires() {
        InMemorySessionStore store = store(10);
        String id = store.create(RECORD);
        now = now.plusSeconds(50);
        assertThat(store.find(id)).isNotNull();
        now = now.plusSeconds(50);
        assertThat(store.find(id)).isNotNull();
        now = now.plusSeconds(61);
        assertThat(store.find(id)).isNull();
    }
}
