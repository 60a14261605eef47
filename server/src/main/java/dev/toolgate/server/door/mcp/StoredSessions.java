package dev.toolgate.server.door.mcp;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.store.mcp.McpSessionTable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** MCP sessions in the database, cached in memory for a minute: a session costs one insert and few reads. */
final class StoredSessions implements SessionStore {
    private static final int ID_BYTES = 24;
    private static final int MAX_IN_MEMORY = 10_000;
    private static final long CACHE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int SESSIONS_BETWEEN_TRIMS = 256;

    private final McpSessionTable table;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong created = new AtomicLong();
    private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MAX_IN_MEMORY;
        }
    };

    private record Known(SessionRecord session, long readAt) {}

    StoredSessions(McpSessionTable table) {
        this.table = table;
    }

    @Override
    public String create(SessionRecord session) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        table.insert(id, McpCaller.tenantOf(session.caller()), session.json().toString());
        keep(id, session);
        if (created.incrementAndGet() % SESSIONS_BETWEEN_TRIMS == 0) {
            table.trim(McpCaller.tenantOf(session.caller()));
        }
        return id;
    }

    @Override
    public @Nullable SessionRecord find(String id) {
        synchronized (known) {
            Known kept = known.get(id);
            if (kept != null && System.nanoTime() - kept.readAt() < CACHE_NANOS) {
                return kept.session();
            }
        }
        SessionRecord read = table.use(id).map(StoredSessions::read).orElse(null);
        if (read == null) {
            forget(id);
        } else {
            keep(id, read);
        }
        return read;
    }

    @Override
    public void update(String id, UnaryOperator<SessionRecord> change) {
        table.update(id, stored -> {
                    SessionRecord session = read(stored);
                    return session == null
                            ? stored
                            : change.apply(session).json().toString();
                })
                .map(StoredSessions::read)
                .ifPresent(changed -> keep(id, changed));
    }

    @Override
    public void delete(String id) {
        table.delete(id);
        forget(id);
    }

    private void keep(String id, SessionRecord session) {
        synchronized (known) {
            known.put(id, new Known(session, System.nanoTime()));
        }
    }

    private void forget(String id) {
        synchronized (known) {
            known.remove(id);
        }
    }

    private static @Nullable SessionRecord read(String stored) {
        return SessionRecord.read(Json.MAPPER.readTree(stored));
    }
}
