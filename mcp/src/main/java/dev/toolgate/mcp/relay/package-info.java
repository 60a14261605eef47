/** Connects a client that uses MCP over pipes to a server that uses it over HTTP. */
@NullMarked
package dev.toolgate.mcp.relay;

import org.jspecify.annotations.NullMarked;
