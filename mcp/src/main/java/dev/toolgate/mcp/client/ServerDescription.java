package dev.toolgate.mcp.client;

import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.ServerCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * What was agreed with a server, and what it said of itself.
 *
 * @param version the agreed revision; may be older than the ones that this side offers
 * @param server null if it did not say
 * @param instructions for models; null if there are none
 */
public record ServerDescription(
        Era era,
        String version,
        @Nullable Implementation server,
        ServerCapabilities capabilities,
        @Nullable String instructions) {}
