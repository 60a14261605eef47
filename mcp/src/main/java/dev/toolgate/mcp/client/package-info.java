/**
 * A blocking MCP client for servers of both eras: negotiation, lists, calls with progress and cancellation, input
 * requests of servers, tasks and subscriptions.
 */
@NullMarked
package dev.toolgate.mcp.client;

import org.jspecify.annotations.NullMarked;
