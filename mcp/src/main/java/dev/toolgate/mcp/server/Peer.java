package dev.toolgate.mcp.server;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.Revision;
import org.jspecify.annotations.Nullable;

/**
 * The client of one request, as its session or the request itself describes it.
 *
 * @param caller the object that stands for whoever sent the request
 * @param scope within which request ids are unique: a session or a connection; null if nothing is known of the
 *     connection, as in the modern era over HTTP
 * @param session null in the modern era
 */
public record Peer(
        Revision revision,
        @Nullable Implementation client,
        ClientCapabilities capabilities,
        @Nullable LogLevel logLevel,
        Object caller,
        @Nullable String scope,
        @Nullable PeerSession session) {

    /** The client of a session; without a choice of its own it gets log messages from {@code info} on. */
    public static Peer of(PeerSession session, Object caller) {
        SessionRecord record = session.record();
        LogLevel level = record.logLevel();
        return new Peer(
                record.revision(),
                record.client(),
                record.capabilities(),
                level == null ? LogLevel.INFO : level,
                caller,
                session.id(),
                session);
    }
}
