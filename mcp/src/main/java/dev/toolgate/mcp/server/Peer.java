package dev.toolgate.mcp.server;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.Revision;
import org.jspecify.annotations.Nullable;

/**
 * The client of one request, as its session or the request itself describes it.
 *
 * @param caller identifies the sender of the request
 * @param scope within which request ids are unique: a session or a connection; null if the connection is unknown, as in
 *     the modern era over HTTP
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

    /** The client of a session; by default it gets log messages of level {@code info} and above. */
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
