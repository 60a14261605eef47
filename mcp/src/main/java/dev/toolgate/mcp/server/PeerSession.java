package dev.toolgate.mcp.server;

import java.util.Set;
import java.util.function.UnaryOperator;

/** The session of a request in the legacy era. */
public interface PeerSession {

    /** Its id, within which request ids are unique. */
    String id();

    SessionRecord record();

    /** Changes the session atomically. */
    void update(UnaryOperator<SessionRecord> change);

    /** The URIs that the client is subscribed to now; none after the session has ended. */
    Set<String> subscribedResources();
}
