/** MCP over HTTP (Streamable HTTP), free of any HTTP server: a door passes requests in and sends what comes out. */
@NullMarked
package dev.toolgate.mcp.server.http;

import org.jspecify.annotations.NullMarked;
