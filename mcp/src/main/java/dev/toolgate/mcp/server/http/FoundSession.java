package dev.toolgate.mcp.server.http;

import dev.toolgate.mcp.server.PeerSession;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.mcp.server.SessionStore;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A session as it was when a request looked it up. */
final class FoundSession implements PeerSession {
    private final SessionStore store;
    private final String id;
    private final SessionRecord found;

    FoundSession(SessionStore store, String id, SessionRecord found) {
        this.store = store;
        this.id = id;
        this.found = found;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public SessionRecord record() {
        return found;
    }

    @Override
    public void update(UnaryOperator<SessionRecord> change) {
        store.update(id, change);
    }

    /** Looked up again, since they may have changed. */
    @Override
    public Set<String> subscribedResources() {
        SessionRecord now = store.find(id);
        return now == null ? Set.of() : now.resources();
    }
}
