/** Joins a client that speaks MCP over pipes to a server that speaks it over HTTP. */
@NullMarked
package dev.toolgate.mcp.relay;

import org.jspecify.annotations.NullMarked;
