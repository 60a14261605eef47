package dev.toolgate.mcp.server.stdio;

import dev.toolgate.mcp.server.PeerSession;
import dev.toolgate.mcp.server.SessionRecord;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The session of the client at the other end of the pipes. */
final class ProcessSession implements PeerSession {
    private final String id;
    private final AtomicReference<SessionRecord> record;

    ProcessSession(String id, SessionRecord record) {
        this.id = id;
        this.record = new AtomicReference<>(record);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public SessionRecord record() {
        return record.get();
    }

    @Override
    public void update(UnaryOperator<SessionRecord> change) {
        record.updateAndGet(change);
    }

    @Override
    public Set<String> subscribedResources() {
        return record.get().resources();
    }
}
