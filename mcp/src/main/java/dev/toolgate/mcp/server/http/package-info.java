/**
 * MCP over HTTP (Streamable HTTP), independent of any HTTP server: a door passes requests in and sends the responses.
 */
@NullMarked
package dev.toolgate.mcp.server.http;

import org.jspecify.annotations.NullMarked;
