package dev.toolgate.mcp.client;

import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.ServerCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated revision, and the server's description of itself.
 *
 * @param version the negotiated revision; may be older than those that this client offers
 * @param server null if not given
 * @param instructions for models; null if there are none
 */
public record ServerDescription(
        Era era,
        String version,
        @Nullable Implementation server,
        ServerCapabilities capabilities,
        @Nullable String instructions) {}
