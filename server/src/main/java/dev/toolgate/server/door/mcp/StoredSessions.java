package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.store.mcp.McpSessionTable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** MCP sessions in the database, cached in memory for a minute: a session costs one insert and few reads. */
final class StoredSessions implements SessionStore {
    private static final int ID_BYTES = 24;
    private static final int SESSIONS_BETWEEN_TRIMS = 256;

    private final McpSessionTable table;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong created = new AtomicLong();
    private final SessionCache cache =
            new SessionCache(new SessionCache.Limits(10_000, 4_000_000, Duration.ofMinutes(1)), System::nanoTime);

    StoredSessions(McpSessionTable table) {
        this.table = table;
    }

    @Override
    public String create(SessionRecord session) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        String stored = session.json().toString();
        long removalsBefore = cache.removalsOf(id);
        table.insert(id, McpCaller.tenantOf(session.caller()), stored);
        cache.put(id, removalsBefore, session, stored);
        if (created.incrementAndGet() % SESSIONS_BETWEEN_TRIMS == 0) {
            table.trim(McpCaller.tenantOf(session.caller()));
        }
        return id;
    }

    @Override
    public @Nullable SessionRecord find(String id) {
        SessionRecord cached = cache.get(id);
        if (cached != null) {
            return cached;
        }
        long removalsBefore = cache.removalsOf(id);
        String stored = table.use(id).orElse(null);
        SessionRecord session = stored == null ? null : read(stored);
        if (stored != null && session != null) {
            cache.put(id, removalsBefore, session, stored);
        }
        return session;
    }

    // The next request reads it again: of several changes at once, only the database knows which was the last.
    @Override
    public void update(String id, UnaryOperator<SessionRecord> change) {
        try {
            var _ = table.update(id, stored -> {
                SessionRecord session = read(stored);
                return session == null ? stored : change.apply(session).json().toString();
            });
        } finally {
            cache.remove(id); // also if the database did not answer, since it may have been changed
        }
    }

    /** The tenant of a session; empty if it does not exist or has expired. */
    Optional<TenantId> tenantOf(String id) {
        return Optional.ofNullable(find(id)).map(session -> McpCaller.tenantOf(session.caller()));
    }

    @Override
    public void delete(String id) {
        try {
            table.delete(id);
        } finally {
            cache.remove(id);
        }
    }

    private static @Nullable SessionRecord read(String stored) {
        return SessionRecord.read(Json.MAPPER.readTree(stored));
    }
}
