package dev.toolgate.mcp.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sessions of one process: a bounded number, of which the least recently used is evicted first. */
public final class InMemorySessionStore implements SessionStore {
    private static final int ID_BYTES = 24;

    private record Kept(SessionRecord record, Instant lastUse) {}

    private final int maxSessions;
    private final Duration maxIdle;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Kept> sessions = new LinkedHashMap<>(16, 0.75f, true);

    public InMemorySessionStore(int maxSessions, Duration maxIdle, InstantSource clock) {
        this.maxSessions = maxSessions;
        this.maxIdle = maxIdle;
        this.clock = clock;
    }

    @Override
    public String create(SessionRecord record) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        synchronized (sessions) {
            sessions.put(id, new Kept(record, clock.instant()));
            removeOldest();
        }
        return id;
    }

    @Override
    public @Nullable SessionRecord find(String id) {
        synchronized (sessions) {
            Kept kept = sessions.get(id);
            if (kept == null) {
                return null;
            }
            if (isExpired(kept)) {
                sessions.remove(id);
                return null;
            }
            sessions.put(id, new Kept(kept.record(), clock.instant()));
            return kept.record();
        }
    }

    @Override
    public void update(String id, UnaryOperator<SessionRecord> change) {
        synchronized (sessions) {
            sessions.computeIfPresent(id, (_, kept) -> new Kept(change.apply(kept.record()), clock.instant()));
        }
    }

    @Override
    public void delete(String id) {
        synchronized (sessions) {
            sessions.remove(id);
        }
    }

    private void removeOldest() {
        for (Iterator<Kept> oldest = sessions.values().iterator(); oldest.hasNext(); ) {
            if (!isExpired(oldest.next()) && sessions.size() <= maxSessions) {
                return;
            }
            oldest.remove();
        }
    }

    private boolean isExpired(Kept kept) {
        return kept.lastUse().plus(maxIdle).isBefore(clock.instant());
    }
}
