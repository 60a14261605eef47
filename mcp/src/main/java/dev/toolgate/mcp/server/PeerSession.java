package dev.toolgate.mcp.server;

import java.util.function.UnaryOperator;

/** The session of a request in the legacy era. */
public interface PeerSession {

    /** Its id, within which request ids are unique. */
    String id();

    SessionRecord record();

    /** Changes the session atomically. */
    void update(UnaryOperator<SessionRecord> change);

    /** Whether the client is subscribed to a resource now. */
    boolean isSubscribed(String uri);
}
