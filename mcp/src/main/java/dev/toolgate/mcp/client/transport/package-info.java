/** The transport interface, and what the transports share: calls, timeouts, failures, limits. */
@NullMarked
package dev.toolgate.mcp.client.transport;

import org.jspecify.annotations.NullMarked;
