package dev.toolgate.mcp.server;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Where the sessions of the legacy era are kept; clients make many, some one for every call. */
public interface SessionStore {

    /** Keeps a new session and gives its id: visible ASCII that nobody can guess. */
    String create(SessionRecord record);

    /** A session; null if there is none, or none any more. */
    @Nullable
    SessionRecord find(String id);

    /** Changes a session, if it still exists; nothing comes between reading and writing. */
    void update(String id, UnaryOperator<SessionRecord> change);

    /** Ends a session. */
    void delete(String id);
}
