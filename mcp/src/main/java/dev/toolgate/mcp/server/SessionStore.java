package dev.toolgate.mcp.server;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores the sessions of the legacy era; clients create many, some one per call. */
public interface SessionStore {

    /** Stores a new session and returns its id: an unguessable string of visible ASCII. */
    String create(SessionRecord record);

    /** A session; null if it does not exist or has expired. */
    @Nullable
    SessionRecord find(String id);

    /** Changes a session atomically, if it still exists. */
    void update(String id, UnaryOperator<SessionRecord> change);

    /** Ends a session. */
    void delete(String id);
}
