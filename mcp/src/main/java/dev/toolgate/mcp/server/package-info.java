/**
 * A server for both eras of MCP, independent of transports: an application implements {@link
 * dev.toolgate.mcp.server.offer.OfferedTools} and its siblings; {@link dev.toolgate.mcp.server.McpEngine} does the
 * rest.
 */
@NullMarked
package dev.toolgate.mcp.server;

import org.jspecify.annotations.NullMarked;
