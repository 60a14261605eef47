/** What the client needs of a transport, and what the transports share: calls, their time limits, failures, limits. */
@NullMarked
package dev.toolgate.mcp.client.transport;

import org.jspecify.annotations.NullMarked;
